#include "kernels/distances.hpp"

#include "kernels/functions.hpp"
#include "kernels/slow_kernels.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using namespace test;  // NOLINT: slow_* and helpers

Matrix slow_squared(const Matrix& X) {
  return slow_matrix(X.rows(), [&](Index i, Index j) { return slow_squared_distance(X, i, j); });
}

double middle_of(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

TEST(SquaredDistances, KeepTheirDigitsUnderALargeShift) {
  const Matrix X = random_matrix(40, 6, 1);
  const Matrix shifted = X.array() + 1e6;
  const Matrix D = squared_distances(shifted), expected = slow_squared(shifted);
  EXPECT_EQ(D, D.transpose());
  EXPECT_EQ(D.diagonal(), Vector::Zero(40));
  EXPECT_GE(D.minCoeff(), 0.0);
  EXPECT_LT(largest(D - expected), 1e-12 * largest(expected));
}

TEST(SquaredDistances, KeepTheirDigitsBetweenCloseSamplesOfFarClouds) {
  Matrix X = random_matrix(20, 5, 2);
  X.topRows(10).array() += 1e5;
  X.row(9) = X.row(0).array() + 1e-3;
  const Matrix D = squared_distances(X), expected = slow_squared(X);
  for (Index j = 0; j < 20; ++j)
    for (Index i = 0; i < 20; ++i) EXPECT_NEAR(D(i, j), expected(i, j), 1e-11 * expected(i, j));
}

TEST(AbsoluteDistances, AgreeWithTheFormulaAcrossTiles) {
  const Matrix X = random_matrix(67, 259, 3);
  const Matrix expected =
      slow_matrix(67, [&](Index i, Index j) { return slow_absolute_distance(X, i, j); });
  const Matrix D = absolute_distances(X);
  EXPECT_EQ(D, D.transpose());
  EXPECT_LT(largest(D - expected), 1e-12 * largest(expected));
}

TEST(MedianGamma, IsOneOverTheMedianOfThePairs) {
  for (const Index n : {2, 3, 4, 5, 20, 21}) {  // even and odd numbers of pairs
    const Matrix X = random_matrix(n, 3, 4);
    const double expected = middle_of(
        sorted_pairs(n, [&](Index i, Index j) { return slow_squared_distance(X, i, j); }));
    EXPECT_NEAR(median_squared_distance(squared_distances(X)), expected, 1e-13 * expected);
    EXPECT_NEAR(median_gamma(squared_distances(X)), 1 / expected, 1e-12 / expected);
  }
}

TEST(MedianGamma, TakesTheMeanOfTheNonZeroWhereMostSamplesAreEqual) {
  Matrix X = Matrix::Constant(7, 2, 3.0);
  X(6, 0) = 5;  // six pairs at distance 4, fifteen at 0
  X(5, 0) = 4;  // now ten pairs at 0
  const Matrix D = squared_distances(X);
  EXPECT_EQ(median_squared_distance(D), 1.0);  // 10 zeros, 5 + 1 ones, 5 fours: the 11th of 21
  X(5, 0) = 3;
  const Matrix E = squared_distances(X);
  EXPECT_EQ(median_squared_distance(E), 0.0);
  EXPECT_DOUBLE_EQ(median_gamma(E), 0.25);
}

TEST(MedianGamma, IsOneWhereAllSamplesAreEqualOrThereIsOne) {
  EXPECT_EQ(median_gamma(squared_distances(Matrix::Constant(4, 3, 0.1))), 1.0);
  EXPECT_EQ(median_gamma(squared_distances(Matrix::Constant(1, 3, 0.1))), 1.0);
  EXPECT_EQ(median_squared_distance(Matrix::Zero(1, 1)), 0.0);
}

TEST(ScaleGamma, IsOneOverFeaturesTimesVariance) {
  const Matrix X = random_matrix(8, 5, 5);
  double sum = 0, squares = 0;
  for (Index k = 0; k < X.size(); ++k) sum += X.data()[k];
  const double mean = sum / 40;
  for (Index k = 0; k < X.size(); ++k) squares += (X.data()[k] - mean) * (X.data()[k] - mean);
  EXPECT_NEAR(scale_gamma(X), 1 / (5 * squares / 40), 1e-12);
  EXPECT_EQ(scale_gamma(Matrix::Constant(3, 7, 0.1)), 1.0);
}

}  // namespace
}  // namespace mkc
