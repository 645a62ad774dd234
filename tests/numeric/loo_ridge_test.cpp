#include "numeric/loo_ridge.hpp"

#include <Eigen/LU>
#include <limits>

#include "numeric/blocks.hpp"
#include "numeric/centred.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using test::random_matrix;
using test::random_psd;

// All samples but one.
Indices without(Index n, Index i) {
  Indices rest;
  for (Index j = 0; j < n; ++j)
    if (j != i) rest.push_back(j);
  return rest;
}

// Fits to all samples but i and predicts i: (K + lambda I) a + 1 c = y, 1'a = 0.
double refitted_error(const Matrix& K, const Matrix& Y, double lambda, Index i) {
  const Indices rest = without(K.rows(), i);
  const Index n = std::ssize(rest);
  Matrix system = Matrix::Ones(n + 1, n + 1);
  system.topLeftCorner(n, n) = submatrix(K, rest, rest) + lambda * Matrix::Identity(n, n);
  system(n, n) = 0;
  Matrix right = Matrix::Zero(n + 1, Y.cols());
  right.topRows(n) = Y(rest, Eigen::all);
  const Matrix solution = system.fullPivLu().solve(right);
  const Eigen::RowVectorXd predicted = K(i, rest) * solution.topRows(n) + solution.row(n);
  return (Y.row(i) - predicted).squaredNorm();
}

TEST(LooRidge, ErrorsAreThoseOfFitsWithoutTheSample) {
  for (const Index rank : {3, 12, 30}) {
    const Matrix K = random_psd(15, rank, 1) + Matrix::Constant(15, 15, 2.0);
    const Matrix Y = random_matrix(15, 4, 2);
    for (const double ridge : {1e-3, 0.1, 5.0}) {
      const double lambda = ridge * centred(K).trace() / 15;
      const Vector errors = LooRidge(K).errors(Y, ridge);
      for (Index i = 0; i < 15; ++i)
        EXPECT_NEAR(errors(i), refitted_error(K, Y, lambda, i), 1e-8 * (1 + errors(i)))
            << rank << " " << ridge << " " << i;
    }
  }
}

TEST(LooRidge, TakesTheRidgeWithTheSmallestSum) {
  const Matrix K = random_psd(20, 8, 3);
  const LooRidge ridge(K);
  for (const double noise : {0.0, 0.3, 30.0}) {
    const Matrix Y = K.leftCols(3) + noise * random_matrix(20, 3, 4);
    double least = std::numeric_limits<double>::infinity();
    for (const double r : {1e-3, 1e-2, 1e-1, 1.0, 10.0})
      least = std::min(least, ridge.errors(Y, r).sum());
    EXPECT_DOUBLE_EQ(ridge.errors(Y).sum(), least);
  }
}

TEST(LooRidge, AConstantKernelPredictsTheMeanOfTheOthers) {
  const Matrix Y = random_matrix(7, 2, 5);
  const Vector errors = LooRidge(Matrix::Constant(7, 7, 0.3)).errors(Y);
  for (Index i = 0; i < 7; ++i) {
    const Matrix others = Y(without(7, i), Eigen::all);
    EXPECT_NEAR(errors(i), (Y.row(i) - others.colwise().mean()).squaredNorm(), 1e-12);
  }
}

TEST(LooRidge, LeadingCoordinatesGiveTheCentredKernel) {
  const Matrix K = random_psd(12, 4, 6);
  const Matrix Y = leading_coordinates(K, 4);
  EXPECT_EQ(Y.cols(), 4);
  EXPECT_LT((Y * Y.transpose() - centred(K)).norm(), 1e-10 * K.norm());
  EXPECT_LT(Y.colwise().sum().norm(), 1e-10 * K.norm());
}

}  // namespace
}  // namespace mkc
