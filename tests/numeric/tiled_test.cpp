#include "numeric/linalg/tiled.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "numeric/linalg/cholesky.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The lower triangle; the upper one must not be looked at.
Matrix lower(const Matrix& A) { return A.triangularView<Eigen::Lower>(); }

Matrix without_upper(Matrix A) {
  A.triangularView<Eigen::StrictlyUpper>().setConstant(nan);
  return A;
}

// Sizes around the 256 rows of a tile.
struct Case {
  Index size, first;
};
constexpr Case cases[] = {{1, 1}, {5, 3}, {40, 0}, {300, 256}, {530, 257}};

TEST(Tiled, PartialCholeskyLeavesTheSchurComplement) {
  for (const auto& [N, n] : cases) {
    Matrix A = test::random_psd(N, N, 1) / double(N);
    A.diagonal().array() += 1;
    Matrix F = without_upper(A);
    ASSERT_TRUE(linalg::partial_cholesky(F, n, 1));
    const Matrix L = lower(F.topLeftCorner(n, n)), L_21 = F.bottomLeftCorner(N - n, n);
    const Matrix rest = lower(F.bottomRightCorner(N - n, N - n));
    EXPECT_LT((L * L.transpose() - A.topLeftCorner(n, n)).norm(), 1e-11 * double(N));
    EXPECT_LT((L_21 * L.transpose() - A.bottomLeftCorner(N - n, n)).norm(), 1e-11 * double(N));
    const Matrix schur = A.bottomRightCorner(N - n, N - n) - L_21 * L_21.transpose();
    EXPECT_LT((rest - lower(schur)).norm(), 1e-11 * double(N));
  }
}

TEST(Tiled, PartialCholeskyReportsIndefiniteMatrices) {
  Matrix A = Matrix::Identity(300, 300);
  A(290, 290) = -1;
  EXPECT_TRUE(linalg::partial_cholesky(A, 280, 1));
  EXPECT_FALSE(linalg::partial_cholesky(A, 300, 1));
}

TEST(Tiled, ProductsAreThoseOfTheirFormulas) {
  for (const auto& [N, n] : cases) {
    const Matrix A = test::random_matrix(N, n, 2), B = test::random_matrix(n, N, 3);
    const Matrix D = test::random_matrix(N, n, 4);
    Matrix C(N, N);
    linalg::multiply_nt(A, D, C, 1);
    EXPECT_LT((C - A * D.transpose()).norm(), 1e-11 * double(N));
    const Matrix start = test::random_matrix(N, N, 5);
    C = start;
    linalg::multiply_lower(A, B, 0.5, C, 1);
    EXPECT_LT((lower(C) - lower(A * B + 0.5 * start)).norm(), 1e-11 * double(N));
    const Matrix K = test::random_psd(N, 4, 6);
    EXPECT_NEAR(linalg::trace_of_product(K, B, 1), (K * B.transpose() * B).trace(),
                1e-11 * double(N) * (1 + K.norm() * B.squaredNorm()));
  }
}

TEST(Tiled, DividesByALowerTriangle) {
  for (const auto& [N, n] : cases) {
    Matrix L = without_upper(test::random_matrix(n, n, 7) / double(n + 1));
    L.diagonal().array() += 2;
    const Matrix B = test::random_matrix(N, n, 8);
    Matrix X = B;
    linalg::divide_by_lower(L, X, 1);
    EXPECT_LT((X * lower(L) - B).norm(), 1e-11 * double(N));
  }
}

TEST(Tiled, BitsDoNotDependOnThreads) {
  const Index N = 900, n = 600;
  Matrix A = test::random_psd(N, N, 9);
  A.diagonal().array() += 1;
  const Matrix K = test::random_psd(n, 5, 10), B = test::random_matrix(N - n, n, 11);
  const auto all = [&](int threads) {
    Matrix F = A, C(n, N - n), X = B;
    linalg::partial_cholesky(F, n, threads);
    linalg::divide_by_lower(F.topLeftCorner(n, n), X, threads);
    linalg::multiply_nt(K, X, C, threads);
    Matrix S = Matrix::Zero(N - n, N - n);
    linalg::multiply_lower(X, C, 1, S, threads);
    S(0, 0) += linalg::trace_of_product(K, X, threads);
    return lower(F).sum() + lower(S).sum() + C.sum();
  };
  const double one = all(1);
  EXPECT_EQ(one, all(2));
  EXPECT_EQ(one, all(5));
}

}  // namespace
}  // namespace mkc
