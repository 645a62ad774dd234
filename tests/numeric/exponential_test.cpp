#include "numeric/exponential.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/random_matrices.hpp"

namespace mkc {
namespace {

TEST(Exponentials, AreThoseOfTheStandardLibrary) {
  constexpr double unit = std::numeric_limits<double>::epsilon();
  const Matrix wide = 200 * test::random_matrix(1003, 1, 1), near = test::random_matrix(1003, 1, 2);
  for (const Matrix& x : {wide, near}) {
    Matrix e = x;
    exponentials(e.data(), e.size());
    for (Index i = 0; i < x.size(); ++i)
      EXPECT_NEAR(e(i), std::exp(x(i)), 2 * unit * std::exp(x(i))) << x(i);
  }
  std::vector<double> ends = {0, -0.0, 709, -708, -1e9, -std::numeric_limits<double>::infinity()};
  exponentials(ends.data(), 6);
  EXPECT_EQ(ends[0], 1);
  EXPECT_EQ(ends[1], 1);
  EXPECT_NEAR(ends[2], std::exp(709.0), 4 * unit * ends[2]);
  for (const int i : {3, 4, 5}) EXPECT_NEAR(ends[i], 0, 1e-300);
  double no_number = std::numeric_limits<double>::quiet_NaN();
  exponentials(&no_number, 1);
  EXPECT_TRUE(std::isnan(no_number));
}

TEST(Exponentials, DoNotDependOnPosition) {
  const Matrix x = test::random_matrix(37, 1, 3);
  Matrix all = x;
  exponentials(all.data(), all.size());
  for (Index i = 0; i < x.size(); ++i)
    for (Index count = 1; count <= 5 && i + count <= x.size(); ++count) {
      Matrix some = x;
      exponentials(some.data() + i, count);
      EXPECT_EQ(some(i), all(i));
    }
}

}  // namespace
}  // namespace mkc
