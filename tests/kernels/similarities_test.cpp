#include "kernels/similarities.hpp"

#include <cmath>

#include "kernels/errors.hpp"
#include "kernels/functions.hpp"
#include "kernels/slow_kernels.hpp"
#include "mkc/kernels/kernel_options.hpp"
#include "numeric/linalg/eigh.hpp"
#include "support/random_matrices.hpp"

// Formula, symmetry, unit diagonal and permutations of these kernels: functions_test.cpp.
namespace mkc {
namespace {

using namespace test;  // NOLINT: slow_* and helpers

using Kernel = std::function<Matrix(const Matrix&)>;

const std::vector<std::pair<std::string, Kernel>> of_amounts{
    {"chi2",
     [](const Matrix& X) { return exponential_of_distances(chi_square_distances(X), 0.7); }},
    {"braycurtis", [](const Matrix& X) { return bray_curtis_kernel(X); }},
    {"ruzicka", [](const Matrix& X) { return ruzicka_kernel(X); }}};

const std::vector<std::pair<std::string, Kernel>> of_numbers{
    {"tanimoto", tanimoto_kernel},
    {"spectral_angle", [](const Matrix& X) { return spectral_angle_kernel(X); }},
    {"ordinal", ordinal_kernel},
    {"categorical", categorical_kernel}};

// Sparse amounts of very different sizes; rows of zeros too.
Matrix sparse_amounts(Index n, Index d, std::uint64_t seed) {
  const Matrix X = random_matrix(n, d, seed), sizes = random_matrix(n, d, seed + 100) * 6;
  return (X.array() < 0.3).select(0.0, sizes.array().exp());
}

Matrix zeros_and_ones(Index n, Index d, std::uint64_t seed) {
  return (random_matrix(n, d, seed).array() > 0).cast<double>();
}

void expect_psd(const Matrix& K, const std::string& what) {
  const Vector values = linalg::eigenvalues(K);  // ascending
  EXPECT_GE(values(0), -1e-10 * values(values.size() - 1)) << what;
}

TEST(Similarities, ArePositiveSemiDefiniteForAnyAmounts) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const auto& [n, d] : {std::pair{60, 4}, {40, 100}, {80, 1}}) {
      const Matrix X = sparse_amounts(n, d, seed);
      for (const auto& [name, kernel] : of_amounts) expect_psd(kernel(X), name);
      expect_psd(tanimoto_kernel(X), "tanimoto");
    }
}

TEST(Similarities, ArePositiveSemiDefiniteForAnyNumbers) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const auto& [n, d] : {std::pair{60, 4}, {40, 100}, {80, 1}}) {
      const Matrix X = random_matrix(n, d, seed) * 3;
      for (const auto& [name, kernel] : of_numbers) expect_psd(kernel(X), name);
    }
}

TEST(Similarities, ArePositiveSemiDefiniteWithCopiesAndMultiplesOfSamples) {
  Matrix X(60, 20);
  X.topRows(20) = sparse_amounts(20, 20, 7).array() + 0.01;
  X.middleRows(20, 20) = X.topRows(20);
  X.bottomRows(20) = 3 * X.topRows(20);
  for (const auto& [name, kernel] : of_amounts) expect_psd(kernel(X), name);
  for (const auto& [name, kernel] : of_numbers) expect_psd(kernel(X), name);
  Matrix both_signs = X;
  both_signs.bottomRows(20) *= -1;
  expect_psd(tanimoto_kernel(both_signs), "tanimoto");
  expect_psd(spectral_angle_kernel(both_signs), "spectral_angle");
}

TEST(Similarities, EqualSamplesGiveOneAndNoEntryIsLarger) {
  Matrix X = sparse_amounts(30, 50, 8).array() + 0.1;
  X.row(29) = X.row(3);
  for (const auto& kernels : {of_amounts, of_numbers})
    for (const auto& [name, kernel] : kernels) {
      const Matrix K = kernel(X);
      EXPECT_NEAR(K(29, 3), 1, 1e-14) << name;
      EXPECT_LE(K.maxCoeff(), 1) << name;
    }
}

TEST(Similarities, TwoRowsOfZerosAreEqualAndShareNothingWithOthers) {
  Matrix X(3, 3);
  X << 0, 0, 0, 0, 0, 0, 1, 2, 0;
  Matrix expected(3, 3);
  expected << 1, 1, 0, 1, 1, 0, 0, 0, 1;
  EXPECT_EQ(bray_curtis_kernel(X), expected);
  EXPECT_EQ(ruzicka_kernel(X), expected);
  EXPECT_EQ(tanimoto_kernel(X), expected);
  Matrix apart(3, 3);
  apart << 0, 0, 3, 0, 0, 3, 3, 3, 0;
  EXPECT_EQ(chi_square_distances(X), apart);
}

TEST(Similarities, NegativeAmountsAreRefusedWithTheNameOfTheSample) {
  Matrix X = sparse_amounts(4, 3, 9);
  X(2, 1) = -0.5;
  for (const char* name : {"chi2", "braycurtis", "ruzicka"}) {
    const KernelOptions options = kernel_option_table().parse({{"kernel", name}});
    const std::string error =
        error_of([&] { compute_kernel(X, options, {"a", "b", "P-07", "d"}); });
    EXPECT_TRUE(has(error, std::string("kernel=") + name + ": sample 'P-07' has the value -0.5"))
        << error;
  }
}

TEST(BrayCurtis, OfProportionsIsTheSumOfMinima) {
  Matrix X = sparse_amounts(12, 8, 10).array() + 0.01;
  for (Index i = 0; i < 12; ++i) X.row(i) /= X.row(i).sum();
  const Matrix minima = slow_matrix(12, [&](Index i, Index j) { return slow_minima(X, i, j); });
  EXPECT_LT(largest(bray_curtis_kernel(X) - minima), 1e-14);
}

TEST(BrayCurtis, AndRuzickaKeepTheOrderOfSimilarities) {
  const Matrix X = sparse_amounts(15, 10, 11), B = bray_curtis_kernel(X);
  const Matrix expected = B.array() / (2 - B.array());
  EXPECT_LT(largest(ruzicka_kernel(X) - expected), 1e-14);
}

TEST(Tanimoto, IsJaccardOfZerosAndOnes) {
  Matrix X = zeros_and_ones(25, 9, 12);
  X.row(3).setZero();
  X.row(4).setZero();
  EXPECT_EQ(tanimoto_kernel(X), jaccard_kernel(X));
  EXPECT_LT(largest(ruzicka_kernel(X) - jaccard_kernel(X)), 1e-15);
}

TEST(Tanimoto, OfOppositeSamplesIsMinusAThird) {
  Matrix X(2, 3);
  X << 1, -2, 3, -1, 2, -3;
  EXPECT_NEAR(tanimoto_kernel(X)(1, 0), -1.0 / 3, 1e-15);
}

TEST(SpectralAngle, KnowsItsAngles) {
  Matrix X(5, 2);
  X << 1, 0,   //
      5, 5,    // 45 degrees
      0, 0.1,  // 90
      -2, 2,   // 135
      -3, 0;   // 180
  const Vector expected = (Vector(5) << 1, 0.5, 0, -0.5, -1).finished();
  EXPECT_LT(largest(spectral_angle_kernel(X).col(0) - expected), 1e-15);
}

TEST(SpectralAngle, SeesAnglesBelowTheRoundingOfTheirCosine) {
  Matrix X(4, 2);
  X << 1, 0, 1, 1e-10, -1, 1e-10, -7, 0;
  const Matrix K = spectral_angle_kernel(X);
  const double angle = 2e-10 / std::numbers::pi;
  EXPECT_NEAR(1 - K(1, 0), angle, 1e-15);
  EXPECT_NEAR(1 + K(2, 0), angle, 1e-15);
  EXPECT_NEAR(K(3, 0), -1, 1e-15);
}

TEST(SpectralAngle, TheLengthOfASampleDoesNotMatter) {
  const Matrix X = random_matrix(6, 4, 13);
  Matrix scaled = X;
  scaled.row(1) *= 1e-150;
  scaled.row(2) *= 1e150;
  EXPECT_LT(largest(spectral_angle_kernel(scaled) - spectral_angle_kernel(X)), 1e-14);
}

TEST(SpectralAngle, NamesItselfAndTheSampleOfZeros) {
  Matrix X = random_matrix(3, 4, 14);
  X.row(1).setZero();
  const KernelOptions options = kernel_option_table().parse({{"kernel", "spectral_angle"}});
  EXPECT_TRUE(has(error_of([&] { compute_kernel(X, options, {"a", "P-07", "c"}); }),
                  "kernel=spectral_angle: sample 'P-07' has only zeros"));
}

TEST(Ordinal, IsOneMinusTheMeanShareOfTheRange) {
  Matrix X = (random_matrix(20, 6, 15).array() * 3).round() + 3;  // 0 to 6
  X.col(4).setConstant(2);                                        // no range: always equal
  const Vector low = X.colwise().minCoeff(), high = X.colwise().maxCoeff();
  const Matrix expected = slow_matrix(20, [&](Index i, Index j) {
    double sum = 0;
    for (Index k = 0; k < 6; ++k)
      if (high(k) > low(k)) sum += std::abs(X(i, k) - X(j, k)) / (high(k) - low(k));
    return 1 - sum / 6;
  });
  const KernelOptions options = kernel_option_table().parse({{"kernel", "ordinal"}});
  EXPECT_LT(largest(compute_kernel(X, options).kernel - expected), 1e-14);
}

TEST(Ordinal, RefusesAnotherTransform) {
  const auto kernel = [](const char* transform) {
    return compute_kernel(
        Matrix::Identity(3, 3),
        kernel_option_table().parse({{"kernel", "ordinal"}, {"transform", transform}}));
  };
  EXPECT_TRUE(has(error_of([&] { kernel("rank"); }), "transform=rank is not possible"));
  EXPECT_EQ(kernel("minmax").kernel, kernel("auto").kernel);
}

TEST(Categorical, IsTheShareOfEqualCells) {
  Matrix X(3, 4);
  X << 0, 1, 2, 3,  //
      0, 1, 5, 3,   //
      9, 8, 2, -1;
  Matrix expected(3, 3);
  expected << 1, 0.75, 0.25, 0.75, 1, 0, 0.25, 0, 1;
  EXPECT_EQ(categorical_kernel(X), expected);
  const Matrix codes = (random_matrix(15, 7, 16).array() * 2).round();
  EXPECT_EQ(categorical_kernel(codes.array() * 100 + 7), categorical_kernel(codes));
}

}  // namespace
}  // namespace mkc
