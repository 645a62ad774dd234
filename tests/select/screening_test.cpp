// Which candidates a mixture can do without.
#include "select/screening.hpp"

#include "select/weights.hpp"
#include "support/hidden_row.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

// Rows of two views. The columns of `mixing` make the residuals of the candidates from four
// independent parts.
std::vector<HiddenRow> rows_of(const Matrix& mixing, Index n, std::uint64_t seed) {
  std::vector<HiddenRow> rows;
  for (Index t = 0; t < n; ++t)
    rows.push_back(
        test::hidden_row(t % 2, t, test::random_matrix(25, 4, seed + std::uint64_t(t)) * mixing));
  return rows;
}

double mixed_error(const std::vector<HiddenRow>& rows, const Vector& counts) {
  const Matrix weights = weights_by_rule(StackRule::per_view, rows, 2, counts);
  double sum = 0;
  for (std::size_t t = 0; t < rows.size(); ++t)
    sum += counts(Index(t)) * relative_error(rows[t], weights.col(rows[t].view));
  return sum;
}

TEST(Dispensable, IsWhatRepeatsAnotherWithLargerErrors) {
  Matrix mixing = Matrix::Zero(4, 3);
  mixing(0, 0) = 1;
  mixing(1, 1) = 1;  // independent of the first: half of each is better than both
  mixing(0, 2) = 1.2, mixing(2, 2) = 0.5;  // the first, and noise
  EXPECT_EQ(dispensable(rows_of(mixing, 60, 1), 2, 60, {1, 2, 3}),
            std::vector<bool>({false, false, true}));
  EXPECT_EQ(dispensable(rows_of(mixing, 60, 1), 2, 60, {1, 2, 0}),  // costs nothing
            std::vector<bool>({false, false, false}));
}

TEST(Dispensable, OfEqualOnesTheDearestGoes) {
  Matrix mixing = Matrix::Zero(4, 3);
  mixing.row(0).setOnes();
  EXPECT_EQ(dispensable(rows_of(mixing, 40, 1), 2, 40, {2, 1, 3}),
            std::vector<bool>({true, false, true}));
}

TEST(Dispensable, IsNothingWhereFewRowsCannotTell) {
  Matrix mixing = Matrix::Identity(4, 4);
  EXPECT_EQ(dispensable(rows_of(mixing, 6, 1), 2, 6, {1, 1, 1, 1}), std::vector<bool>(4, false));
  EXPECT_TRUE(dispensable({}, 2, 6, {}).empty());
}

TEST(Dispensable, WhatIsLeftLosesLittle) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix mixing = test::random_matrix(4, 6, seed).cwiseAbs();
    const auto rows = rows_of(mixing, 50, 1000 * seed);
    const auto dropped = dispensable(rows, 2, 50, {1, 2, 3, 4, 5, 6});
    Matrix kept(4, 0);
    for (Index c = 0; c < 6; ++c)
      if (!dropped[at(c)]) {
        kept.conservativeResize(4, kept.cols() + 1);
        kept.rightCols(1) = mixing.col(c);
      }
    const Vector counts = equal_views(rows, 2);
    EXPECT_LE(mixed_error(rows_of(kept, 50, 1000 * seed), counts),
              1.0031 * mixed_error(rows, counts));
    EXPECT_LT(kept.cols(), 6);  // six mixtures of four parts
  }
}

}  // namespace
}  // namespace mkc
