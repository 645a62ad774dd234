#include <cmath>

#include "mkc/base/error.hpp"
#include "numeric/l21.hpp"
#include "support/allocation_counter.hpp"
#include "support/finite_differences.hpp"
#include "support/random_matrices.hpp"

namespace mkc::prox {
namespace {

using test::random_matrix;

// 1/2 ||B - A||^2 + step c sum_i w_i ||b_i||, from the definition.
double prox_objective(const Matrix& B, const Matrix& A, double step, double c, const Vector& w) {
  double value = 0.5 * (B - A).squaredNorm();
  for (Index i = 0; i < A.rows(); ++i) value += step * c * w(i) * B.row(i).norm();
  return value;
}

TEST(L21Norm, IsTheSumOfRowNorms) {
  Matrix A(3, 2);
  A << 3, 4, 0, 0, -5, 12;
  EXPECT_DOUBLE_EQ(L21(1).value(A), 18);
  EXPECT_DOUBLE_EQ(L21(0.5, Vector{{2, 7, 1}}).value(A), 11.5);
  EXPECT_EQ(L21(0).value(A), 0);
  EXPECT_EQ(L21(1).value(Matrix(0, 4)), 0);
}

TEST(L21Prox, ShrinksRowsInClosedFormAndZeroesShortOnesExactly) {
  Matrix A(4, 2);
  A << 3, 4, 0.3, -0.4, 0, 0, 6, 8;
  L21(2).prox(A, 0.5);  // rows shrink by 1
  Matrix expected(4, 2);
  expected << 2.4, 3.2, 0, 0, 0, 0, 5.4, 7.2;
  EXPECT_LT((A - expected).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(A.row(1), expected.row(1));
}

TEST(L21Prox, ZeroStepOrZeroWeightIsTheIdentity) {
  const Matrix A = random_matrix(6, 4, 1);
  Matrix B = A;
  L21(3).prox(B, 0);
  EXPECT_EQ(A, B);
  L21(0).prox(B, 10);
  EXPECT_EQ(A, B);
}

TEST(L21Prox, NoNearbyPointIsBetter) {
  for (const std::uint64_t seed : {2, 3, 4}) {
    const Matrix A = random_matrix(8, 5, seed);
    const Vector w = random_matrix(8, 1, seed + 10).cwiseAbs() * 3;
    Matrix B = A;
    L21(0.7, w).prox(B, 0.6);
    const double best = prox_objective(B, A, 0.6, 0.7, w);
    for (std::uint64_t trial = 0; trial < 50; ++trial)
      EXPECT_LE(best,
                prox_objective(B + 0.01 * random_matrix(8, 5, 100 * seed + trial), A, 0.6, 0.7, w));
  }
}

TEST(L21Prox, IsFirmlyNonexpansive) {
  for (const std::uint64_t seed : {5, 6, 7}) {
    const Matrix A = random_matrix(9, 3, seed), B = random_matrix(9, 3, seed + 50);
    Matrix P = A, Q = B;
    L21 penalty(1);
    penalty.prox(P, 0.8);
    penalty.prox(Q, 0.8);
    EXPECT_LE((P - Q).squaredNorm(), (P - Q).cwiseProduct(A - B).sum() + 1e-14);
  }
}

TEST(L21Prox, WorksOnABlockOfAMatrix) {
  Matrix A = random_matrix(7, 6, 8);
  const Matrix before = A;
  Matrix block = A.block(1, 2, 4, 3);
  L21 penalty(0.4);
  penalty.prox(block, 1);
  penalty.prox(A.block(1, 2, 4, 3), 1);
  EXPECT_EQ(A.block(1, 2, 4, 3), block);
  EXPECT_EQ(A.leftCols(2), before.leftCols(2));
  EXPECT_DOUBLE_EQ(penalty.value(A.block(1, 2, 4, 3)), L21(0.4).value(block));
}

TEST(L21Distance, VanishesAtTheProximalPoint) {
  // B = prox_{c}(A) solves 0 in (B - A) + c d||B||
  for (const std::uint64_t seed : {9, 10}) {
    const Matrix A = random_matrix(20, 4, seed);
    const Vector w = random_matrix(20, 1, seed + 20).cwiseAbs() * 2;
    L21 penalty(1.1, w);
    Matrix B = A;
    penalty.prox(B, 1);
    EXPECT_GT((B.rowwise().norm().array() == 0).count(), 0);
    EXPECT_LT(penalty.distance(B, B - A), 1e-14);
    EXPECT_GT(penalty.distance(A, B), 0.1);
  }
}

TEST(L21Distance, FollowsTheRowWiseDefinition) {
  Matrix A(3, 2), G(3, 2);
  A << 3, 4, 0, 0, 0, 0;
  G << 1, 1, 0.3, 0.4, 6, 8;
  // row 1: (1, 1) + 2 (0.6, 0.8); row 2: 0.5 < 2; row 3: 10 - 2
  const double expected = std::sqrt(2.2 * 2.2 + 2.6 * 2.6 + 64);
  EXPECT_DOUBLE_EQ(L21(2).distance(A, G), expected);
}

TEST(L21Distance, IsTheGradientNormWhereNoRowIsZero) {
  const Matrix A = random_matrix(5, 3, 11), G = random_matrix(5, 3, 12);
  L21 penalty(0.9);
  const Matrix slope =
      test::finite_difference_gradient([&](const Matrix& X) { return penalty.value(X); }, A);
  EXPECT_NEAR(penalty.distance(A, G), (G + slope).norm(), 1e-8);
}

TEST(L21Penalty, NanStaysNan) {
  Matrix A = Matrix::Constant(2, 2, std::nan(""));
  EXPECT_TRUE(std::isnan(L21(1).distance(A, Matrix::Zero(2, 2))));
  EXPECT_TRUE(std::isnan(L21(1).distance(Matrix::Zero(2, 2), A)));
  L21(1).prox(A, 1);
  EXPECT_TRUE(A.hasNaN());
}

TEST(L21Penalty, RefusesWrongWeights) {
  EXPECT_THROW(L21(-1), OptionError);
  EXPECT_THROW(L21(1, Vector{{1, -2}}), InputError);
  EXPECT_THROW(L21(1, Vector{{1, 2}}).value(Matrix::Zero(3, 2)), InputError);
  EXPECT_THROW(L21(1).distance(Matrix::Zero(3, 2), Matrix::Zero(2, 3)), InputError);
}

TEST(L21Penalty, AllocatesNothingAfterItsFirstUse) {
  Matrix A = random_matrix(50, 30, 13);
  const Matrix G = random_matrix(50, 30, 14);
  L21 penalty(0.01);
  penalty.distance(A, G);
  const long before = test::allocations();
  for (int i = 0; i < 5; ++i) {
    penalty.prox(A, 0.1);
    penalty.value(A);
    penalty.distance(A, G);
  }
  EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace mkc::prox
