#include "numeric/solvers/psd_least_squares.hpp"

#include <algorithm>
#include <cmath>

#include "mkc/base/error.hpp"
#include "numeric/linalg/eigh.hpp"
#include "numeric/linalg/psd.hpp"
#include "support/allocation_counter.hpp"
#include "support/random_matrices.hpp"

namespace mkc::solvers {
namespace {

using test::random_matrix;
using test::random_symmetric;

double largest(const Matrix& A) { return A.size() == 0 ? 0.0 : A.cwiseAbs().maxCoeff(); }

BlockWeights some_block(Index n, double inside, double outside) {
  BlockWeights weights{{}, inside, outside};
  for (Index i = 0; i < n; i += 2) weights.block.push_back(i);
  return weights;
}

Matrix as_matrix(Index n, const BlockWeights& weights) {  // W itself, not squared
  Matrix W = Matrix::Constant(n, n, std::sqrt(weights.outside));
  W(weights.block, weights.block).setConstant(std::sqrt(weights.inside));
  return W;
}

// The slow and obvious way: X <- P(X - W^2 o (X - Z) / L), very many times.
Matrix plain_projected_gradient(const Matrix& Z, const Matrix& W, int iterations) {
  const Matrix squares = W.cwiseAbs2() / W.cwiseAbs2().maxCoeff();
  Matrix X = linalg::project_psd(Z);
  for (int i = 0; i < iterations; ++i) X = linalg::project_psd(X - squares.cwiseProduct(X - Z));
  return X;
}

// X >= 0, D = W^2 o (X - Z) >= 0 and <D, X> = 0.
void expect_optimal(const Matrix& X, const Matrix& Z, const Matrix& W, double tolerance) {
  const Matrix D = W.cwiseAbs2().cwiseProduct(X - Z);
  EXPECT_EQ(X, X.transpose());
  EXPECT_GE(linalg::eigenvalues(X)(0), -1e-13 * X.norm());
  EXPECT_GE(linalg::eigenvalues(D)(0), -tolerance * D.norm());
  EXPECT_LE(std::abs(D.cwiseProduct(X).sum()), tolerance * D.norm() * X.norm());
}

TEST(PsdProjectorTest, AgreesWithTheProjectionForAnyShareOfTheSpectrum) {
  const Index n = 60;
  PsdProjector projector(n);
  for (const double shift : {0.0, 9.0, 8.5, -9.0, -8.5, 20.0, -20.0, 0.0, 7.0}) {
    const Matrix A = random_symmetric(n, 1) + shift * Matrix::Identity(n, n);
    for (int repeat = 0; repeat < 2; ++repeat) {  // the second time knows the split
      Matrix P = A;
      projector.project(P);
      EXPECT_LT(largest(P - linalg::project_psd(A)), 1e-11);
      EXPECT_EQ(P, P.transpose());
    }
  }
}

TEST(PsdProjectorTest, SmallSizesAndZero) {
  Matrix nothing(0, 0), negative = Matrix::Constant(1, 1, -2), zero = Matrix::Zero(5, 5);
  PsdProjector(0).project(nothing);
  PsdProjector(1).project(negative);
  PsdProjector(5).project(zero);
  EXPECT_EQ(negative(0, 0), 0);
  EXPECT_EQ(zero, Matrix::Zero(5, 5));
}

TEST(PsdLeastSquares, EqualWeightsNeedOneProjection) {
  const Matrix Z = random_symmetric(25, 2), expected = linalg::project_psd(Z);
  PsdLeastSquaresWorkspace work;
  BlockWeights whole{{}, 2, 7};
  for (Index i = 0; i < 25; ++i) whole.block.push_back(i);
  for (const BlockWeights& weights : {BlockWeights{{}, 3, 2}, BlockWeights{{1, 5}, 2, 2}, whole}) {
    Matrix X;
    const auto result = psd_least_squares(Z, weights, X, {}, work);
    EXPECT_EQ(result.iterations, 1);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_LT(largest(X - expected), 1e-13);
  }
}

TEST(PsdLeastSquares, AgreesWithVeryManyPlainSteps) {
  const Index n = 14;
  const Matrix Z = random_symmetric(n, 8);
  PsdLeastSquaresWorkspace work;
  for (const auto& [inside, outside] : {std::pair{50.0, 1.0}, {1.0, 50.0}, {1.01, 0.01}}) {
    const BlockWeights weights = some_block(n, inside, outside);
    Matrix X;
    const auto result = psd_least_squares(Z, weights, X, {.tolerance = 1e-11}, work);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_NEAR(result.condition, std::sqrt(std::max(inside / outside, outside / inside)), 1e-9);
    EXPECT_LT(largest(X - plain_projected_gradient(Z, as_matrix(n, weights), 4000)), 1e-8);
  }
}

TEST(PsdLeastSquares, SatisfiesTheOptimalityConditions) {
  PsdLeastSquaresWorkspace work;
  for (const Index n : {1, 2, 30, 80}) {
    const Matrix Z = random_symmetric(n, 9);
    const BlockWeights weights = some_block(n, 30, 1);
    Matrix X;
    psd_least_squares(Z, weights, X, {.tolerance = 1e-12}, work);
    expect_optimal(X, Z, as_matrix(n, weights), 1e-10);
  }
}

TEST(PsdLeastSquares, ResidualBoundsTheDistanceToTheMinimiser) {
  const Index n = 20;
  const Matrix Z = random_symmetric(n, 11);
  const BlockWeights weights = some_block(n, 200, 1);
  PsdLeastSquaresWorkspace work;
  Matrix exact;
  psd_least_squares(Z, weights, exact, {.tolerance = 1e-13}, work);
  Vector d = Vector::Ones(n);
  for (const Index i : weights.block) d(i) = std::pow(200.0, 0.25);
  const auto scaled = [&](const Matrix& A) { return Matrix(d.asDiagonal() * A * d.asDiagonal()); };
  for (const int iterations : {1, 3, 10, 20}) {
    Matrix X;
    const auto result = psd_least_squares(Z, weights, X, {.max_iterations = iterations}, work);
    EXPECT_LE(scaled(X - exact).norm(), result.residual * scaled(Z).norm());
  }
}

TEST(PsdLeastSquares, AWarmStartGivesTheSameAnswerInFewerIterations) {
  const Index n = 40;
  const Matrix Z = random_symmetric(n, 12);
  const BlockWeights weights = some_block(n, 100, 1);
  PsdLeastSquaresWorkspace work;
  Matrix cold, warm;
  psd_least_squares(Z - 1e-4 * random_symmetric(n, 13), weights, warm, {}, work);
  const auto from_cold = psd_least_squares(Z, weights, cold, {}, work);
  const auto from_warm = psd_least_squares(Z, weights, warm, {}, work);
  EXPECT_LT(largest(cold - warm), 1e-7);
  EXPECT_LT(from_warm.iterations, from_cold.iterations);
  EXPECT_LE(psd_least_squares(Z, weights, cold, {}, work).iterations, 3);
}

TEST(PsdLeastSquares, APsdTargetIsItsOwnAnswer) {
  const Matrix Z = test::random_psd(15, 20, 14);
  Matrix X;
  PsdLeastSquaresWorkspace work;
  EXPECT_EQ(psd_least_squares(Z, some_block(15, 9, 1), X, {}, work).iterations, 1);
  EXPECT_LT(largest(X - Z), 1e-13);
}

TEST(PsdLeastSquares, AnIterationLimitShowsInTheStatus) {
  const Matrix Z = random_symmetric(30, 15);
  const BlockWeights weights = some_block(30, 1000, 1);
  PsdLeastSquaresWorkspace work;
  Matrix X, Y;
  const auto two = psd_least_squares(Z, weights, X, {.max_iterations = 2}, work);
  EXPECT_EQ(two.status, Status::max_iterations);
  EXPECT_EQ(two.iterations, 2);
  const auto one = psd_least_squares(Z, weights, Y, {.max_iterations = 1}, work);
  EXPECT_EQ(one.residual, two.first_residual);
}

TEST(PsdLeastSquares, AllocatesNothingOnceTheWorkspaceHasItsSize) {
  const Matrix Z = random_symmetric(50, 16) + 6 * Matrix::Identity(50, 50);
  const BlockWeights weights = some_block(50, 100, 1);
  PsdLeastSquaresWorkspace work;
  Matrix X = Z;
  psd_least_squares(Z, weights, X, {}, work);
  X = Z;
  const long before = test::allocations();
  const auto result = psd_least_squares(Z, weights, X, {}, work);
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(result.iterations, 5);
}

TEST(PsdLeastSquares, RefusesWhatDoesNotFit) {
  PsdLeastSquaresWorkspace work;
  Matrix X;
  const Matrix Z = random_symmetric(4, 17);
  EXPECT_THROW(psd_least_squares(Matrix(2, 3), BlockWeights{}, X, {}, work), InputError);
  EXPECT_THROW(psd_least_squares(Z, BlockWeights{{4}, 1, 1}, X, {}, work), InputError);
  EXPECT_THROW(psd_least_squares(Z, BlockWeights{{1}, 0, 1}, X, {}, work), InputError);
  X = Matrix::Constant(4, 4, std::nan(""));
  EXPECT_THROW(psd_least_squares(Z, BlockWeights{{1}, 2, 1}, X, {}, work), InputError);
}

}  // namespace
}  // namespace mkc::solvers
