#include "mkc/kernels/normalize.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/errors.hpp"
#include "kernels/functions.hpp"
#include "kernels/slow_kernels.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"
#include "numeric/linalg/psd.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using namespace test;  // NOLINT: helpers

std::vector<KernelTransformOptions> all_options() {
  std::vector<KernelTransformOptions> all;
  for (const auto normalize : {Normalization::none, Normalization::unit, Normalization::trace})
    for (const bool center : {false, true}) all.push_back({normalize, center});
  return all;
}

// Samples away from the origin, with different lengths.
Matrix shifted_features(Index n, Index d, std::uint64_t seed) {
  return random_matrix(n, d, seed).array() + 0.7;
}

// The first n of a random order of 0..N-1.
Indices observed_rows(Index N, Index n, std::uint64_t seed) {
  Indices rows = random_permutation(N, seed);
  rows.resize(static_cast<std::size_t>(n));
  return rows;
}

// The transform of the full kernel with the mean of the observed samples and, for unit, the true
// diagonal: what a perfect completion method would return.
Matrix perfect_completion(const Matrix& X, const Indices& rows,
                          const KernelTransformOptions& options) {
  Matrix Y = X;
  if (options.center) Y.rowwise() -= rows_of(X, rows).colwise().mean();
  const Matrix K = slow_linear(Y);
  if (options.normalize == Normalization::none) return K;
  if (options.normalize == Normalization::trace) return K / block_of(K, rows).diagonal().mean();
  return slow_cosine(Y);
}

// A PSD completion of the block B: [B, B A; A' B, A' B A + C] with C PSD, the block at `rows`.
Matrix random_completion(const Matrix& B, Index N, const Indices& rows, std::uint64_t seed) {
  const Index n = B.rows(), missing = N - n;
  const Matrix A = random_matrix(n, missing, seed);
  Matrix K(N, N);
  K.topLeftCorner(n, n) = B;
  K.topRightCorner(n, missing) = B * A;
  K.bottomLeftCorner(missing, n) = (B * A).transpose();
  K.bottomRightCorner(missing, missing) = A.transpose() * B * A + random_psd(missing, 2, seed + 1);
  Indices order = random_permutation(N, seed + 2), place(static_cast<std::size_t>(N));
  std::erase_if(order,
                [&](Index i) { return std::find(rows.begin(), rows.end(), i) != rows.end(); });
  for (std::size_t i = 0; i < place.size(); ++i)
    place[i] = i < rows.size() ? rows[i] : order[i - rows.size()];
  Matrix placed(N, N);
  placed(place, place) = K;
  linalg::mirror_lower(placed);
  return placed;
}

TEST(KernelTransform, CenteringMovesTheFeatureMeanToZero) {
  const Matrix X = shifted_features(9, 4, 1), K = linalg::gram_of_rows(X);
  const Matrix centered = KernelTransform::fit(K, {Normalization::none, true}, "v").apply(K);
  const Matrix Y = X.rowwise() - X.colwise().mean();
  EXPECT_LT(largest(centered - slow_linear(Y)), 1e-13);
  EXPECT_EQ(centered, centered.transpose());
}

TEST(KernelTransform, UnitAndTraceFollowTheirFormulas) {
  const Matrix X = shifted_features(9, 4, 2), K = linalg::gram_of_rows(X);
  const Matrix unit = KernelTransform::fit(K, {Normalization::unit, false}, "v").apply(K);
  EXPECT_LT(largest(unit - slow_cosine(X)), 1e-14);
  EXPECT_EQ(unit.diagonal(), Vector::Ones(9));
  EXPECT_EQ(unit, unit.transpose());
  const Matrix trace = KernelTransform::fit(K, {Normalization::trace, false}, "v").apply(K);
  EXPECT_LT(largest(trace - K / K.diagonal().mean()), 1e-14);
}

TEST(KernelTransform, CentersBeforeItNormalizes) {
  const Matrix X = shifted_features(9, 4, 3), K = linalg::gram_of_rows(X);
  const Matrix Y = X.rowwise() - X.colwise().mean();
  const Matrix unit = KernelTransform::fit(K, {Normalization::unit, true}, "v").apply(K);
  EXPECT_LT(largest(unit - slow_cosine(Y)), 1e-12);
}

TEST(KernelTransform, RoundTripWithNothingMissingKeepsEveryBit) {
  for (const auto& options : all_options()) {
    const Matrix K = random_psd(12, 5, 4).array() + 0.3;
    const KernelTransform t = KernelTransform::fit(K, options, "v");
    const Indices rows = random_permutation(12, 5);
    Matrix placed(12, 12);
    placed(rows, rows) = t.apply(K);
    const Matrix back = t.undo(placed, rows, K);
    EXPECT_EQ(block_of(back, rows), K);
  }
}

TEST(KernelTransform, UndoGivesTheTrueKernelFromThePerfectCompletion) {
  const Matrix X = shifted_features(20, 5, 6), K = linalg::gram_of_rows(X);
  const Indices rows = observed_rows(20, 12, 7);
  const Matrix block = block_of(K, rows);
  for (const auto normalize : {Normalization::none, Normalization::trace})
    for (const bool center : {false, true}) {
      const KernelTransformOptions options{normalize, center};
      const KernelTransform t = KernelTransform::fit(block, options, "v");
      const Matrix back = t.undo(perfect_completion(X, rows, options), rows, block);
      EXPECT_LT(largest(back - K), 1e-12 * largest(K));
      EXPECT_EQ(block_of(back, rows), block);
      EXPECT_EQ(back, back.transpose());
    }
}

TEST(KernelTransform, UndoOfUnitGivesTheTruthWhereTheDiagonalIsConstant) {
  const Matrix K = 3.0 * exponential_of_distances(squared_distances(random_matrix(15, 3, 8)), 0.5);
  const Indices rows = observed_rows(15, 9, 9);
  const Matrix block = block_of(K, rows);
  const KernelTransform t = KernelTransform::fit(block, {Normalization::unit, false}, "v");
  EXPECT_LT(largest(t.undo(K / 3.0, rows, block) - K), 1e-14);
}

TEST(KernelTransform, UndoOfUnitGivesMissingSamplesTheMedianDiagonal) {
  const Vector diagonal = (Vector(4) << 1, 9, 4, 16).finished();
  const Matrix block = diagonal.asDiagonal();
  const KernelTransform t = KernelTransform::fit(block, {Normalization::unit, false}, "v");
  const Matrix back = t.undo(Matrix::Identity(5, 5), {0, 1, 3, 4}, block);
  EXPECT_DOUBLE_EQ(back(2, 2), 6.5);
}

TEST(KernelTransform, UndoKeepsCompletionsPositiveSemiDefinite) {
  for (const auto& options : all_options())
    for (const std::uint64_t seed : {10, 20, 30, 40})
      for (const Index rank : {2, 6, 30}) {
        const Matrix block = random_psd(10, rank, seed).array() + 0.5;
        const Indices rows = observed_rows(16, 10, seed + 1);
        const KernelTransform t = KernelTransform::fit(block, options, "v");
        const Matrix completed = random_completion(t.apply(block), 16, rows, seed + 2);
        ASSERT_TRUE(linalg::is_psd(completed, 1e-12));
        const Matrix back = t.undo(completed, rows, block);
        EXPECT_TRUE(linalg::is_psd(back, 1e-10))
            << linalg::eigenvalues(back).transpose() << " rank " << rank;
        EXPECT_EQ(block_of(back, rows), block);
        EXPECT_EQ(back, back.transpose());
      }
}

TEST(KernelTransform, UndoKeepsPerfectCompletionsPositiveSemiDefinite) {
  for (const auto& options : all_options())
    for (const Index d : {3, 8, 40}) {
      const Matrix X = shifted_features(20, d, 50), K = linalg::gram_of_rows(X);
      const Indices rows = observed_rows(20, 11, 51);
      const Matrix block = block_of(K, rows);
      const KernelTransform t = KernelTransform::fit(block, options, "v");
      const Matrix back = t.undo(perfect_completion(X, rows, options), rows, block);
      EXPECT_TRUE(linalg::is_psd(back, 1e-10)) << d;
    }
}

TEST(KernelTransform, NamesTheSampleWithAZeroDiagonal) {
  Matrix K = random_psd(3, 2, 60);
  K.row(1).setZero();
  K.col(1).setZero();
  const KernelTransformOptions unit{Normalization::unit, false};
  const std::string error =
      error_of([&] { KernelTransform::fit(K, unit, "rna", {"a", "P-07", "c"}); });
  EXPECT_TRUE(has(error, "view 'rna': sample 'P-07' has a zero diagonal entry")) << error;
  EXPECT_TRUE(has(error, "use normalize=trace or normalize=none, or drop the sample")) << error;
  EXPECT_TRUE(has(error_of([&] { KernelTransform::fit(K, unit, "rna"); }), "row 1"));
  K(1, 1) = -1;
  EXPECT_TRUE(has(error_of([&] { KernelTransform::fit(K, unit, "rna"); }), "a negative diagonal"));
}

TEST(KernelTransform, NamesTheSampleThatIsTheMeanAfterCentring) {
  Matrix X = shifted_features(5, 3, 61);
  X.row(2) = (X.row(0) + X.row(1) + X.row(3) + X.row(4)) / 4;
  const std::string error = error_of(
      [&] { KernelTransform::fit(linalg::gram_of_rows(X), {Normalization::unit, true}, "rna"); });
  EXPECT_TRUE(has(error, "row 2 (counted from 0) has a zero diagonal entry after centring"))
      << error;
}

TEST(KernelTransform, RefusesAZeroTraceAndWrongSizes) {
  const KernelTransformOptions trace{Normalization::trace, false};
  EXPECT_TRUE(has(error_of([&] { KernelTransform::fit(Matrix::Zero(3, 3), trace, "rna"); }),
                  "the mean of the diagonal is zero"));
  EXPECT_TRUE(has(error_of([&] { KernelTransform::fit(Matrix::Zero(3, 2), trace, "rna"); }),
                  "view 'rna': the observed block is 3 x 2"));
  EXPECT_TRUE(has(error_of([&] { KernelTransform::fit(Matrix::Ones(3, 3), trace, "v", {"a"}); }),
                  "1 sample names for an observed block of 3 x 3"));
  const Matrix gap = Matrix::Constant(3, 3, std::nan(""));
  EXPECT_TRUE(has(error_of([&] { KernelTransform::fit(gap, trace, "rna"); }), "not finite"));
  const Matrix block = Matrix::Identity(2, 2), completed = Matrix::Identity(4, 4);
  const KernelTransform t = KernelTransform::fit(block, trace, "v");
  EXPECT_TRUE(has(error_of([&] { t.undo(completed, {0, 1, 2}, block); }),
                  "fitted on a block of 2 x 2, got 2 x 2 and 3 rows"));
  EXPECT_TRUE(has(error_of([&] { t.undo(completed, {0, 4}, block); }), "4 is outside 0..3"));
  EXPECT_TRUE(has(error_of([&] { t.undo(Matrix::Ones(4, 3), {0, 1}, block); }), "4 x 3"));
}

TEST(KernelTransform, OptionsReadBackAsText) {
  const auto table = kernel_transform_option_table();
  const OptionValues texts{{"normalize", "unit"}, {"center", "yes"}};
  const KernelTransformOptions options = table.parse(texts);
  EXPECT_EQ(options.normalize, Normalization::unit);
  EXPECT_TRUE(options.center);
  EXPECT_EQ(table.values(options), texts);
  EXPECT_EQ(table.values({}), (OptionValues{{"normalize", "none"}, {"center", "no"}}));
}

}  // namespace
}  // namespace mkc
