// Weights of the candidates: planted mixtures, brute force, and when one candidate is preferred.
#include "select/weights.hpp"

#include <cmath>

#include "base/random.hpp"
#include "support/hidden_row.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

Strings names(Index n) {
  Strings samples;
  for (Index i = 0; i < n; ++i) samples.push_back("s" + std::to_string(i));
  return samples;
}

double total(const std::vector<HiddenRow>& rows, const Vector& w) {
  double sum = 0;
  for (const auto& row : rows) sum += relative_error(row, w);
  return sum;
}

TEST(StackWeights, FindAPlantedMixture) {
  // r_1 = 3 v, r_2 = -v: 1/4 and 3/4 leave nothing.
  std::vector<HiddenRow> rows;
  for (std::uint64_t t = 0; t < 10; ++t) {
    Matrix residuals = test::random_matrix(8, 3, t);
    residuals.col(1) = residuals.col(0) / -3;
    rows.push_back(test::hidden_row(0, Index(t), residuals));
  }
  const Vector w = stack_weights(rows, Vector::Ones(10));
  EXPECT_NEAR(w(0), 0.25, 1e-3);
  EXPECT_NEAR(w(1), 0.75, 1e-3);
  EXPECT_NEAR(w(2), 0, 1e-3);
}

TEST(StackWeights, ReachTheSmallestSumOfErrorsOfAFineGrid) {
  std::vector<HiddenRow> rows;
  for (std::uint64_t t = 0; t < 15; ++t)
    rows.push_back(test::hidden_row(0, Index(t), test::random_matrix(5, 3, 100 + t)));
  const double reached = total(rows, stack_weights(rows, Vector::Ones(15)));
  double smallest = 1e300;
  for (int a = 0; a <= 50; ++a)
    for (int b = 0; a + b <= 50; ++b) {
      Vector w(3);
      w << a / 50.0, b / 50.0, (50 - a - b) / 50.0;
      smallest = std::min(smallest, total(rows, w));
    }
  EXPECT_LE(reached, smallest * (1 + 1e-6));
}

// Rows of two views in which candidate `best[m]` has small errors, the rest large independent ones.
std::vector<HiddenRow> rows_with_best(const Indices& best, Index n, double noise) {
  std::vector<HiddenRow> rows;
  for (Index m = 0; m < 2; ++m)
    for (Index t = 0; t < n; ++t) {
      Matrix residuals = test::random_matrix(30, 3, std::uint64_t(1000 * m + t));
      residuals.col(best[std::size_t(m)]) *= noise;
      rows.push_back(test::hidden_row(m, t, residuals));
    }
  return rows;
}

TEST(ChooseStack, KeepsOneCandidateWhereMixingDoesNotClearlyWin) {
  std::vector<HiddenRow> rows;
  for (Index t = 0; t < 40; ++t) {  // candidates that are all the same
    const Matrix r = test::random_matrix(10, 1, std::uint64_t(t));
    rows.push_back(test::hidden_row(t % 2, t, r.replicate(1, 3)));
  }
  const Stack stack = choose_stack(rows, 2, folds_of(rows, names(40)));
  EXPECT_EQ(stack.rule, StackRule::one);
  EXPECT_EQ(stack.weights.col(0), Vector::Unit(3, 0));
}

TEST(ChooseStack, TakesTheBestOfEachViewWhereTheyDiffer) {
  const Stack stack = choose_stack(rows_with_best({0, 2}, 40, 1e-6), 2,
                                   folds_of(rows_with_best({0, 2}, 40, 1e-6), names(40)));
  EXPECT_EQ(stack.rule, StackRule::one_per_view);
  EXPECT_EQ(stack.weights.col(0), Vector::Unit(3, 0));
  EXPECT_EQ(stack.weights.col(1), Vector::Unit(3, 2));
}

TEST(ChooseStack, MixesIndependentErrorsAndReportsWhatItWasNotFittedOn) {
  const std::vector<HiddenRow> rows = rows_with_best({0, 0}, 60, 1.0);
  const Stack stack = choose_stack(rows, 2, folds_of(rows, names(60)));
  EXPECT_TRUE(stack.rule == StackRule::pooled || stack.rule == StackRule::per_view);
  for (Index m = 0; m < 2; ++m) EXPECT_NEAR(stack.weights.col(m).sum(), 1, 1e-12);
  EXPECT_GT(stack.weights.minCoeff(), 0.15);
  for (std::size_t t = 0; t < rows.size(); ++t)
    EXPECT_NEAR(stack.errors(Index(t)), relative_error(rows[t], stack.row_weights.col(Index(t))),
                1e-12);
  Vector alone = Vector::Zero(3);
  for (const auto& row : rows) alone += row.residuals.diagonal().cwiseSqrt();
  EXPECT_LT(stack.errors.sum(), alone.minCoeff());
}

TEST(ChooseStack, AViewWithoutHiddenRowsTakesThePooledWeights) {
  const std::vector<HiddenRow> rows = rows_with_best({0, 2}, 40, 1e-6);
  Vector sums = Vector::Zero(3);
  for (const auto& row : rows) sums += row.residuals.diagonal().cwiseSqrt();
  Index best = 0;
  sums.minCoeff(&best);
  const Stack stack = choose_stack(rows, 3, folds_of(rows, names(40)));
  EXPECT_EQ(stack.rule, StackRule::one_per_view);
  EXPECT_NE(stack.weights.col(0), stack.weights.col(1));
  EXPECT_EQ(stack.weights.col(2), Vector::Unit(3, best));
}

// Rows with worthless residuals where `spoil` holds.
std::vector<HiddenRow> spoilt(std::vector<HiddenRow> rows, const std::vector<bool>& spoil) {
  for (std::size_t t = 0; t < rows.size(); ++t)
    if (spoil[t]) rows[t].residuals = Vector(Vector::LinSpaced(3, 9, 1)).asDiagonal();
  return rows;
}

TEST(ChooseStack, JudgesTheRowsOfAFoldWithWhatTheOtherFoldsChose) {
  const std::vector<HiddenRow> rows = rows_with_best({0, 2}, 40, 0.5);
  const Folds folds = folds_of(rows, names(40));
  const Stack stack = choose_stack(rows, 2, folds);
  Matrix mean = Matrix::Zero(3, 2);
  for (int f = 0; f < 5; ++f) {
    std::vector<bool> own;
    for (const int fold : folds.of_row) own.push_back(fold == f);
    const Stack other = choose_stack(spoilt(rows, own), 2, folds);
    for (std::size_t t = 0; t < rows.size(); ++t)
      if (own[t]) {
        EXPECT_EQ(other.row_weights.col(Index(t)), stack.row_weights.col(Index(t)));
      }
  }
  for (Index m = 0; m < 2; ++m) {  // the result is the mean of what the five folds are judged with
    for (int f = 0; f < 5; ++f)
      for (std::size_t t = 0; t < rows.size(); ++t)
        if (folds.of_row[t] == f && rows[t].view == m) {
          mean.col(m) += stack.row_weights.col(Index(t)) / 5;
          break;
        }
    EXPECT_LE((stack.weights.col(m) - mean.col(m)).norm(), 1e-14);
  }
}

TEST(ChooseStack, AHalfThatJudgesHasNoPartInTheChoice) {
  std::vector<HiddenRow> rows = rows_with_best({0, 2}, 80, 0.5);
  const std::vector<bool> half = judging_half(names(80));
  std::vector<bool> judges;
  for (auto& row : rows) judges.push_back(row.judges = half[at(row.sample)]);
  const Folds folds = folds_of(rows, names(80));
  const Stack stack = choose_stack(rows, 2, folds);
  EXPECT_EQ(choose_stack(spoilt(rows, judges), 2, folds).weights, stack.weights);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    EXPECT_EQ(folds.judges(t), judges[t]);
    if (judges[t]) {
      EXPECT_EQ(stack.row_weights.col(Index(t)), stack.weights.col(rows[t].view));
    }
  }
}

}  // namespace
}  // namespace mkc
