#include "methods/affine.hpp"

#include <gtest/gtest.h>

#include "support/complete_with.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

RunOptions fitted() {
  RunOptions run;
  run.fitted = true;
  return run;
}

// Unit diagonal, so that the scale of a view plays no part.
Matrix random_correlation(Index n, std::uint64_t seed) {
  const Matrix K = test::random_psd(n, n, seed) + Matrix::Identity(n, n);
  const Vector d = K.diagonal().cwiseSqrt().cwiseInverse();
  return d.asDiagonal() * K * d.asDiagonal();
}

TEST(Affine, FindsAnAffineMapOfTheMean) {
  const Matrix A = random_correlation(12, 1), B = random_correlation(12, 2);
  Matrix K = 0.25 * (A + B) + Matrix::Constant(12, 12, 0.2);
  K.diagonal().setOnes();
  Mask observed = Mask::Constant(12, 3, true);
  for (const Index i : {0, 4, 5, 9}) observed(i, 2) = false;
  const Completion c =
      test::complete_with(affine_options(), Problem({A, B, K}, observed), {}, fitted());
  EXPECT_LT((c.kernels[2] - K).norm(), 1e-12 * K.norm());
}

TEST(Affine, WeightsOfLeastSquaresFindTheViewThatMatters) {
  const Matrix A = random_correlation(20, 3), B = random_correlation(20, 4);
  Matrix K = 0.7 * A + Matrix::Constant(20, 20, 0.1);
  K.diagonal().setOnes();
  Mask observed = Mask::Constant(20, 3, true);
  for (const Index i : {0, 4, 5, 9}) observed(i, 2) = false;
  const Problem problem({A, B, K}, observed);
  const auto error = [&](AffineWeights weights) {
    return (test::complete_with(affine_options(), problem, {weights}, fitted()).kernels[2] - K)
               .norm() /
           K.norm();
  };
  EXPECT_LT(error(AffineWeights::nnls), 1e-3);
  EXPECT_GT(error(AffineWeights::equal), 0.05);
}

TEST(Affine, UsesTheViewsThatHaveThePairAndTheMeanWhereNoneHas) {
  const Matrix A = random_correlation(6, 5), B = random_correlation(6, 6);
  const Matrix K = 0.5 * (A + B);
  Mask observed = Mask::Constant(6, 3, true);
  observed(0, 0) = false;  // only B has 0
  observed(1, 1) = false;  // only A has 1: no view but K has (0, 1)
  observed(1, 2) = false;  // not K either
  const Completion c =
      test::complete_with(affine_options(), Problem({A, B, K}, observed), {}, fitted());
  const Matrix& k = c.kernels[2];
  double sum = 0, n = 0;
  for (const Index i : {0, 2, 3, 4, 5})
    for (const Index j : {0, 2, 3, 4, 5})
      if (i < j) sum += K(i, j), n += 1;
  EXPECT_NEAR(k(0, 1), sum / n, 1e-12);
  // pairs with the same mean of other views get the same value: one line for all
  const double slope = (k(1, 2) - k(1, 3)) / (A(1, 2) - A(1, 3));
  EXPECT_NEAR(k(0, 2) - k(0, 3), slope * (B(0, 2) - B(0, 3)), 1e-10);
  EXPECT_NEAR(k(2, 3) - k(2, 4), slope * (K(2, 3) - K(2, 4)), 1e-10);
  EXPECT_GE(slope, 0);
  EXPECT_NEAR(k(1, 1), 1, 1e-12);
}

TEST(Affine, HandlesUnrelatedAndConstantViews) {
  Mask observed = Mask::Constant(8, 2, true);
  observed(3, 1) = false;
  const Matrix K = test::random_psd(8, 8, 7);
  for (const Matrix& other :
       {Matrix(Matrix::Zero(8, 8)), Matrix(Matrix::Ones(8, 8)), Matrix(Matrix::Identity(8, 8))})
    for (const auto weights : {AffineWeights::equal, AffineWeights::nnls}) {
      const Completion c =
          test::complete_with(affine_options(), Problem({other, K}, observed), {weights});
      EXPECT_TRUE(c.kernels[1].allFinite());
    }
}

}  // namespace
}  // namespace mkc
