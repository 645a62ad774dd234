#include "report/leading_eigen.hpp"

#include <algorithm>
#include <cmath>

#include "mkc/problem/problem.hpp"
#include "numeric/blocks.hpp"
#include "report/seriation.hpp"
#include "support/random_matrices.hpp"

namespace mkc::report {
namespace {

Strings names(Index n) {
  Strings result;
  for (Index i = 0; i < n; ++i) result.push_back("s" + std::to_string(i));
  return result;
}

// An rbf kernel of n points in the plane: its spectrum decays as real ones do.
Matrix kernel(Index n, std::uint64_t seed) {
  const Matrix X = 2 * test::random_matrix(n, 2, seed);
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) K(i, j) = std::exp(-0.5 * (X.row(i) - X.row(j)).squaredNorm());
  return K;
}

using Kept = Eigen::Array<bool, Eigen::Dynamic, 1>;

void expect_leading(const linalg::Eigh& found, const Matrix& A, Index k, double tolerance) {
  const Vector all = linalg::eigenvalues(A).reverse();
  ASSERT_EQ(found.values.size(), k);
  for (Index i = 0; i < k; ++i) {
    EXPECT_NEAR(found.values(i), all(i), tolerance * all(0)) << "eigenvalue " << i;
    EXPECT_LE(found.values(i), all(i) * (1 + 1e-10));  // Rayleigh-Ritz values are never too large
  }
  EXPECT_LT((A * found.vectors.col(0) - found.values(0) * found.vectors.col(0)).norm(),
            tolerance * all(0));
}

TEST(LeadingEigenpairs, SmallProblemsAreExact) {
  const Matrix K = kernel(40, 1);
  expect_leading(leading_eigenpairs(block_operator(K, Kept::Constant(40, true)), 5, names(40)), K,
                 5, 1e-12);
}

TEST(LeadingEigenpairs, LargeProblemsAreNear) {
  const Matrix K = kernel(200, 2);
  expect_leading(leading_eigenpairs(block_operator(K, Kept::Constant(200, true)), 12, names(200)),
                 K, 12, 1e-6);
}

TEST(LeadingEigenpairs, OfABlock) {
  const Matrix K = kernel(200, 3);
  Kept kept = Kept::Constant(200, true);
  Indices rows;
  for (Index i = 0; i < 200; ++i) {
    kept(i) = i % 4 != 1;
    if (kept(i)) rows.push_back(i);
  }
  const linalg::Eigh found = leading_eigenpairs(block_operator(K, kept), 8, names(200));
  const Vector all = linalg::eigenvalues(submatrix(K, rows, rows)).reverse();
  for (Index i = 0; i < 8; ++i) EXPECT_NEAR(found.values(i), all(i), 1e-6 * all(0));
  EXPECT_EQ(found.vectors(1, 0), 0);  // nothing outside the block
}

TEST(LeadingEigenpairs, OfACentredKernel) {
  const Matrix K = kernel(150, 4);
  const Matrix H = Matrix::Identity(150, 150) - Matrix::Constant(150, 150, 1.0 / 150);
  const Matrix centred = H * K * H;
  expect_leading(leading_eigenpairs(centred_operator(K), 6, names(150)), centred, 6, 1e-6);
}

TEST(LeadingEigenpairs, FewerWhereTheRankIsLow) {
  const Matrix K = test::random_psd(300, 3, 5);
  const linalg::Eigh found =
      leading_eigenpairs(block_operator(K, Kept::Constant(300, true)), 20, names(300));
  EXPECT_EQ(found.values.size(), 3);
  const Matrix zero = Matrix::Zero(300, 300);
  EXPECT_EQ(leading_eigenpairs(centred_operator(zero), 5, names(300)).values.size(), 0);
}

// Points on a curve in any order come back in the order of the curve.
TEST(Seriate, FindsTheOrderOfACurve) {
  const Index n = 90;
  Matrix X(n, 3);
  Indices place(static_cast<std::size_t>(n));
  for (Index p = 0; p < n; ++p) {
    const Index i = p * 37 % n;  // 37 and 90 have no common divisor
    place[at(i)] = p;
    const double t = static_cast<double>(p) / static_cast<double>(n);
    X.row(i) << 4 * t, std::sin(3 * t), 0.2 * std::cos(2 * t);
  }
  const Indices order = seriate(X);
  Index largest = 0;
  for (std::size_t k = 1; k < order.size(); ++k)
    largest = std::max(largest, std::abs(place[at(order[k])] - place[at(order[k - 1])]));
  EXPECT_EQ(largest, 1);
}

TEST(Seriate, KeepsGroupsTogether) {
  const Index n = 60;
  Matrix X = 0.2 * test::random_matrix(n, 4, 6);
  for (Index i = 0; i < n; ++i) X(i, i % 3) += 5;
  const Indices order = seriate(X);
  Index changes = 0;
  for (std::size_t k = 1; k < order.size(); ++k) changes += order[k] % 3 != order[k - 1] % 3;
  EXPECT_EQ(changes, 2);
}

TEST(Seriate, IsAlwaysAPermutation) {
  for (const Matrix& X :
       {Matrix(Matrix::Zero(7, 2)), Matrix(Matrix::Ones(1, 2)), test::random_matrix(300, 8, 7)}) {
    Indices order = seriate(X);
    std::sort(order.begin(), order.end());
    ASSERT_EQ(static_cast<Index>(order.size()), X.rows());
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<Index>(i));
  }
}

}  // namespace
}  // namespace mkc::report
