#include <atomic>
#include <cmath>

#include "base/parallel.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"
#include "numeric/linalg/psd.hpp"
#include "support/random_matrices.hpp"

namespace mkc::linalg {
namespace {

using test::random_matrix;
using test::random_psd;
using test::random_symmetric;

double largest(const Matrix& A) { return A.size() == 0 ? 0.0 : A.cwiseAbs().maxCoeff(); }

TEST(Blas, ProductsAgreeWithTheDefinitionOnBlocksToo) {
  const Matrix A = random_matrix(7, 5, 1), B = random_matrix(5, 9, 2);
  EXPECT_LT(largest(multiply(A, B) - A.lazyProduct(B)), 1e-14);
  EXPECT_LT(largest(multiply_tn(A, A) - A.transpose().lazyProduct(A)), 1e-14);
  EXPECT_LT(largest(multiply_nt(B, B) - B.lazyProduct(B.transpose())), 1e-14);
  const Matrix product = multiply(A.block(1, 1, 4, 3), B.block(0, 2, 3, 4));
  EXPECT_LT(largest(product - A.block(1, 1, 4, 3).lazyProduct(B.block(0, 2, 3, 4))), 1e-14);
}

TEST(Blas, GemmScalesAndAccumulates) {
  const Matrix A = random_matrix(4, 6, 3), B = random_matrix(3, 6, 4);
  Matrix C = random_matrix(4, 3, 5);
  const Matrix expected = 2.0 * A.lazyProduct(B.transpose()) - 0.5 * C;
  gemm(2.0, A, Op::none, B, Op::transpose, -0.5, C);
  EXPECT_LT(largest(C - expected), 1e-14);
  EXPECT_THROW(gemm(1, A, Op::none, B, Op::none, 0, C), std::invalid_argument);
}

TEST(Blas, EmptyProductsAreZero) {
  EXPECT_EQ(multiply(Matrix(3, 0), Matrix(0, 2)), Matrix::Zero(3, 2));
  EXPECT_EQ(gram_of_rows(Matrix(0, 4)).size(), 0);
}

TEST(Blas, GramMatricesAreExactlySymmetric) {
  const Matrix X = random_matrix(70, 33, 6);
  const Matrix G = gram_of_rows(X);
  EXPECT_EQ(G, G.transpose());
  EXPECT_LT(largest(G - X.lazyProduct(X.transpose())), 1e-13);
  EXPECT_LT(largest(gram_of_columns(X) - X.transpose().lazyProduct(X)), 1e-13);
}

TEST(Blas, SymmReadsTheLowerTriangleOnly) {
  Matrix A = random_symmetric(6, 7);
  const Matrix B = random_matrix(6, 4, 8), expected = A.lazyProduct(B);
  A.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
  Matrix C(6, 4);
  symm(1, A, B, 0, C);
  EXPECT_LT(largest(C - expected), 1e-14);
}

TEST(Blas, CallsFromSeveralThreadsDoNotDisturbEachOther) {
  // Debian's serial OpenBLAS has no locks: calls from two threads used to corrupt one another.
  const Matrix X = random_matrix(150, 150, 19);
  const Matrix A = gram_of_rows(X) + Matrix::Identity(150, 150);
  const Matrix product = multiply(A, X), inverse = Cholesky::factor(A)->inverse();
  const Vector values = eigenvalues(A);
  std::atomic<int> wrong{0};
  parallel_for(2, 2, [&](Index) {
    for (int repeat = 0; repeat < 100; ++repeat) {
      const auto factor = Cholesky::factor(A);
      if (multiply(A, X) != product) ++wrong;
      if (!factor || factor->inverse() != inverse) ++wrong;
      if (eigenvalues(A) != values) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Eigh, ReconstructsTheMatrixFromOrthonormalVectors) {
  for (const Index n : {0, 1, 2, 40}) {
    const Matrix A = random_symmetric(n, 9);
    const Eigh e = eigh(A);
    EXPECT_LT(largest(e.vectors * e.values.asDiagonal() * e.vectors.transpose() - A), 1e-12);
    EXPECT_LT(largest(e.vectors.transpose() * e.vectors - Matrix::Identity(n, n)), 1e-12);
    EXPECT_LT(largest(eigenvalues(A) - e.values), 1e-12);
  }
}

TEST(Eigh, TheLargestPairsAgreeWithTheWholeSpectrum) {
  const Matrix A = random_symmetric(30, 10);
  const Eigh all = eigh(A), top = eigh_largest(A, 4);
  EXPECT_LT(largest(top.values - all.values.tail(4)), 1e-12);
  EXPECT_LT(largest(A * top.vectors - top.vectors * top.values.asDiagonal()), 1e-12);
  EXPECT_EQ(eigh_largest(A, 0).vectors.cols(), 0);
}

TEST(CholeskyFactor, SolvesAndInverts) {
  Matrix A = random_psd(25, 40, 11);
  const auto factor = Cholesky::factor(A);
  ASSERT_TRUE(factor);
  const Matrix B = random_matrix(25, 3, 12);
  EXPECT_LT(largest(A * factor->solve(B) - B), 1e-10);
  EXPECT_LT(largest(A * factor->inverse() - Matrix::Identity(25, 25)), 1e-10);
  EXPECT_NEAR(factor->log_determinant(), eigenvalues(A).array().log().sum(), 1e-9);
}

TEST(CholeskyFactor, InvertsInPlaceAtEverySize) {
  for (const Index n : {0, 1, 2, 31, 32, 33, 65, 120, 131}) {
    const Matrix A = random_psd(n, n + 15, 13) + Matrix::Identity(n, n);
    Matrix X = A;
    ASSERT_TRUE(invert_positive_definite(X));
    EXPECT_EQ(X, Cholesky::factor(A)->inverse());
    EXPECT_EQ(X, X.transpose());
    EXPECT_LT(largest(A.lazyProduct(X) - Matrix::Identity(n, n)), 1e-11) << n;
  }
}

TEST(CholeskyFactor, WhiteningIsARootOfTheInverse) {
  for (const Index n : {1, 5, 70}) {
    const Matrix X = Matrix::Random(n, n), A = X * X.transpose() + Matrix::Identity(n, n);
    const auto factor = Cholesky::factor(A);
    const Matrix W = factor->whitening();
    EXPECT_TRUE((W.transpose() * A * W).isApprox(Matrix::Identity(n, n), 1e-9)) << n;
    EXPECT_TRUE(W.isUpperTriangular());
  }
  const Matrix D = Eigen::Vector2d(4, 1).asDiagonal();
  EXPECT_EQ(Cholesky::factor(D)->smallest_share(), 0.25);
}

TEST(CholeskyFactor, RefusesAnIndefiniteMatrix) {
  EXPECT_FALSE(Cholesky::factor(-Matrix::Identity(3, 3)));
  Matrix X = -Matrix::Identity(3, 3);
  EXPECT_FALSE(invert_positive_definite(X));
}

TEST(Psd, ProjectionKeepsThePositivePartOfTheSpectrum) {
  for (const std::uint64_t seed : {13, 14, 15}) {
    const Matrix A = random_symmetric(20, seed) + (double(seed) - 14) * Matrix::Identity(20, 20);
    const Eigh e = eigh(A);
    const Matrix expected = e.vectors * e.values.cwiseMax(0).asDiagonal() * e.vectors.transpose();
    const Matrix P = project_psd(A);
    EXPECT_LT(largest(P - expected), 1e-12);
    EXPECT_EQ(P, P.transpose());
  }
}

TEST(Psd, ProjectionLeavesAPsdMatrixAlone) {
  const Matrix A = random_psd(12, 20, 16);
  EXPECT_EQ(project_psd(A), A);
}

TEST(Psd, ToleranceIsRelativeToTheLargestEigenvalue) {
  const Matrix A = random_psd(15, 5, 17);
  EXPECT_TRUE(is_psd(A, 1e-10));
  EXPECT_FALSE(is_psd(A - 1e-3 * Matrix::Identity(15, 15), 1e-10));
  EXPECT_TRUE(is_psd(Matrix::Zero(3, 3), 1e-10));
  EXPECT_FALSE(is_psd(-Matrix::Identity(3, 3), 1e-10));
}

TEST(Psd, AsymmetryIsTheLargestDifferenceToTheTranspose) {
  Matrix A = random_symmetric(130, 18);
  EXPECT_EQ(asymmetry(A), 0.0);
  A(120, 3) += 0.25;
  EXPECT_DOUBLE_EQ(asymmetry(A), 0.25);
}

}  // namespace
}  // namespace mkc::linalg
