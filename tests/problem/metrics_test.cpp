#include "mkc/problem/metrics.hpp"

#include <cmath>

namespace mkc {
namespace {

TEST(AverageRelativeError, IsTheMeanOfTheRatiosInPercent) {
  Matrix truth(3, 3), estimate(3, 3);
  truth << 3, 0, 4, 0, 1, 0, 4, 0, 3;
  estimate << 3, 0, 4, 0, 1, 1, 4, 1, 3;
  // row 1: ||(0,0,1)|| / 1 = 1; row 2: ||(0,1,0)|| / 5 = 0.2
  EXPECT_DOUBLE_EQ(average_relative_error(truth, estimate, {1, 2}), 60);
  EXPECT_DOUBLE_EQ(average_relative_error_squared(truth, estimate, {1, 2}), 52);
  EXPECT_DOUBLE_EQ(average_relative_error(truth, estimate, {0}), 0);
}

TEST(AverageRelativeError, LeavesOutRowsThatAreZeroInTruth) {
  Matrix truth = Matrix::Identity(3, 3);
  truth(2, 2) = 0;
  EXPECT_DOUBLE_EQ(average_relative_error(truth, 2 * truth, {1, 2}), 100);
  EXPECT_TRUE(std::isnan(average_relative_error(truth, truth, {2})));
}

}  // namespace
}  // namespace mkc
