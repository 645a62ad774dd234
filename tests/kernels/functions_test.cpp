#include "kernels/functions.hpp"

#include <cmath>
#include <functional>

#include "kernels/errors.hpp"
#include "kernels/similarities.hpp"
#include "kernels/slow_kernels.hpp"
#include "numeric/linalg/psd.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using namespace test;  // NOLINT: slow_* and helpers

Matrix rbf_kernel(const MatrixRef& X, double gamma) {
  return exponential_of_distances(squared_distances(X), gamma);
}

struct KernelCase {
  std::string name;
  std::function<Matrix(const Matrix&)> fast, slow;
  bool unit_diagonal;
  bool of_amounts = false;  // of features that are not negative
};

// About a third of the cells zero, so that jaccard has something to do; no row of zeros.
Matrix features(Index n, Index d, std::uint64_t seed) {
  Matrix X = random_matrix(n, d, seed);
  X = (random_matrix(n, d, seed + 1000).array() < -0.3).select(0.0, X);
  X.col(0).array() += 2;
  return X;
}

Matrix features_for(const KernelCase& kernel, Index n, Index d, std::uint64_t seed) {
  const Matrix X = features(n, d, seed);
  return kernel.of_amounts ? Matrix(X.cwiseAbs()) : X;
}

std::vector<KernelCase> all_kernels() {
  return {
      {"linear", [](const Matrix& X) { return linear_kernel(X); }, slow_linear, false},
      {"rbf", [](const Matrix& X) { return rbf_kernel(X, 0.3); },
       [](const Matrix& X) { return slow_rbf(X, 0.3); }, true},
      {"poly", [](const Matrix& X) { return polynomial_kernel(X, 0.2, 1.5, 3); },
       [](const Matrix& X) { return slow_polynomial(X, 0.2, 1.5, 3); }, false},
      {"laplacian",
       [](const Matrix& X) { return exponential_of_distances(absolute_distances(X), 0.2); },
       [](const Matrix& X) { return slow_laplacian(X, 0.2); }, true},
      {"cosine", [](const Matrix& X) { return cosine_kernel(X); }, slow_cosine, true},
      {"jaccard", [](const Matrix& X) { return jaccard_kernel(X); }, slow_jaccard, true},
      {"lsk", [](const Matrix& X) { return latent_semantic_kernel(X, 4); },
       [](const Matrix& X) { return slow_latent_semantic(X, 4); }, true},
      {"chi2",
       [](const Matrix& X) { return exponential_of_distances(chi_square_distances(X), 0.4); },
       [](const Matrix& X) { return slow_chi2(X, 0.4); }, true, true},
      {"braycurtis", [](const Matrix& X) { return bray_curtis_kernel(X); }, slow_bray_curtis, true,
       true},
      {"ruzicka", [](const Matrix& X) { return ruzicka_kernel(X); }, slow_ruzicka, true, true},
      {"tanimoto", tanimoto_kernel, slow_tanimoto, true},
      {"spectral_angle", [](const Matrix& X) { return spectral_angle_kernel(X); },
       slow_spectral_angle, true},
      {"ordinal", ordinal_kernel, slow_ordinal, true},
      {"categorical", categorical_kernel, slow_categorical, true},
  };
}

class EveryKernel : public testing::TestWithParam<KernelCase> {};

TEST_P(EveryKernel, AgreesWithTheFormulaEntryByEntry) {
  // tall, wide, one feature, two samples, one sample, larger than a tile and a panel
  for (const auto& [n, d] : {std::pair{12, 5}, {6, 20}, {9, 1}, {2, 3}, {1, 4}, {70, 300}}) {
    const Matrix X = features_for(GetParam(), n, d, 1);
    const Matrix expected = GetParam().slow(X);
    EXPECT_LT(largest(GetParam().fast(X) - expected), 1e-11 * (1 + largest(expected)))
        << n << " x " << d;
  }
}

TEST_P(EveryKernel, IsExactlySymmetricWithExactUnitDiagonal) {
  for (const Index n : {1, 2, 33, 70}) {
    const Matrix K = GetParam().fast(features_for(GetParam(), n, 7, 2));
    ASSERT_EQ(K.rows(), n);
    EXPECT_EQ(K, K.transpose());
    if (GetParam().unit_diagonal) {
      EXPECT_EQ(K.diagonal(), Vector::Ones(n));
      EXPECT_LE(largest(K), 1.0);
    }
  }
}

TEST_P(EveryKernel, IsPositiveSemiDefinite) {
  for (const Index d : {1, 3, 60})
    EXPECT_TRUE(linalg::is_psd(GetParam().fast(features_for(GetParam(), 40, d, 3)), 1e-10)) << d;
}

TEST_P(EveryKernel, PermutedSamplesPermuteTheKernel) {
  const Matrix X = features_for(GetParam(), 40, 6, 4);
  const Indices order = random_permutation(40, 5);
  const Matrix K = GetParam().fast(X);
  EXPECT_LT(largest(GetParam().fast(rows_of(X, order)) - block_of(K, order)),
            1e-12 * (1 + largest(K)));
}

TEST_P(EveryKernel, EqualSamplesHaveEqualRows) {
  Matrix X = features_for(GetParam(), 37, 50, 6);
  X.row(36) = X.row(3);
  const Matrix K = GetParam().fast(X);
  EXPECT_LT(largest(K.row(36) - K.row(3)), 1e-12 * (1 + largest(K)));
  EXPECT_NEAR(K(36, 3), K(3, 3), 1e-12 * (1 + largest(K)));
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryKernel, testing::ValuesIn(all_kernels()),
                         [](const auto& each) { return each.param.name; });

TEST(RbfKernel, EqualRowsGiveExactlyOneWhereverTheyLie) {
  Matrix X = random_matrix(50, 30, 8);
  X.topRows(25).array() += 1e7;  // two clouds far apart: norms far above the distances
  X.row(24) = X.row(0);
  X.row(49) = X.row(25);
  const Matrix K = rbf_kernel(X, 0.1);
  EXPECT_EQ(K(24, 0), 1.0);
  EXPECT_EQ(K(49, 25), 1.0);
  EXPECT_LT(largest(K - slow_rbf(X, 0.1)), 1e-12);
}

TEST(RbfKernel, TakesFeaturesNearTheLargestDouble) {
  Matrix X(3, 1);
  X << 1e200, -1e200, 1e200;
  Matrix expected(3, 3);
  expected << 1, 0, 1, 0, 1, 0, 1, 0, 1;
  EXPECT_EQ(rbf_kernel(X, 1), expected);
}

TEST(RbfKernel, WorksOnABlockOfAMatrix) {
  const Matrix X = random_matrix(9, 8, 9), block = X.block(2, 1, 5, 4);
  EXPECT_EQ(rbf_kernel(X.block(2, 1, 5, 4), 0.7), rbf_kernel(block, 0.7));
}

TEST(PolynomialKernel, EveryDegreeIsARepeatedProduct) {
  const Matrix X = random_matrix(6, 3, 11);
  const Matrix base = polynomial_kernel(X, 0.5, 2, 1);
  Matrix expected = base;
  for (Index degree = 2; degree < 9; ++degree) {
    expected = expected.cwiseProduct(base);
    EXPECT_LT(largest(polynomial_kernel(X, 0.5, 2, degree) - expected), 1e-12 * largest(expected));
  }
}

TEST(CosineKernel, NamesTheSampleOfZeros) {
  Matrix X = random_matrix(4, 3, 12);
  X.row(2).setZero();
  EXPECT_TRUE(has(error_of([&] { cosine_kernel(X); }), "row 2 (counted from 0) has only zeros"));
  EXPECT_TRUE(has(error_of([&] { cosine_kernel(X, {"a", "b", "P-07", "d"}); }),
                  "sample 'P-07' has only zeros"));
}

TEST(CosineKernel, TheLengthOfASampleDoesNotMatter) {
  const Matrix X = random_matrix(5, 4, 13);
  Matrix scaled = X;
  scaled.row(1) *= 1e-200;
  scaled.row(2) *= 1e200;
  EXPECT_LT(largest(cosine_kernel(scaled) - cosine_kernel(X)), 1e-14);
}

TEST(JaccardKernel, TwoEmptySetsAreEqualAndOneSharesNothing) {
  Matrix X(3, 3);
  X << 0, 0, 0, 0, 0, 0, 1, -2, 0;
  Matrix expected(3, 3);
  expected << 1, 1, 0, 1, 1, 0, 0, 0, 1;
  EXPECT_EQ(jaccard_kernel(X), expected);
}

}  // namespace
}  // namespace mkc
