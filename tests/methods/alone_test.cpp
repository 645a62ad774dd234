#include "methods/alone.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "mkc/complete.hpp"
#include "mkc/problem/metrics.hpp"
#include "select/auto.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

TEST(Alone, FillsInTheDiagonalOnly) {
  const Problem problem = test::random_problem(4).problem();
  const Completion c = complete(problem, "alone");
  for (Index m = 0; m < problem.n_views(); ++m) {
    const Matrix& K = c.kernels[at(m)];
    for (const Index t : problem.missing(m))
      for (Index j = 0; j < problem.n_samples(); ++j)
        EXPECT_EQ(K(t, j), j == t ? problem.view(m).block.diagonal().mean() : 0);
  }
}

// Two views are unrelated to the third, in which half of the samples are equal and the others
// similar to none: the mean of such rows is wrong by a multiple of the rows of the latter.
TEST(Alone, KeepsAutoFromLargeErrorsInUnrelatedViews) {
  constexpr Index n = 100;
  Random random(7);
  Matrix X(n, 4), K = Matrix::Identity(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index d = 0; d < 4; ++d) X(i, d) = random.normal();
  std::vector<bool> alike;
  for (Index i = 0; i < n; ++i) alike.push_back(random.uniform() < 0.5);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (alike[at(i)] && alike[at(j)]) K(i, j) = 1;
  Mask observed = Mask::Constant(n, 3, true);
  Indices missing;
  for (Index i = 0; i < n; i += 5) {
    observed(i, 2) = false;
    missing.push_back(i);
  }
  const Problem problem({X * X.transpose(), X.leftCols(2) * X.leftCols(2).transpose(), K},
                        observed);
  const auto error = [&](const std::string& candidates) {
    return average_relative_error(K, complete(problem, "auto,candidates=" + candidates).kernels[2],
                                  missing);
  };
  const double with = error("mean+wknn+alone"), without = error("mean+wknn");
  EXPECT_GT(without, 100);
  EXPECT_LT(with, 0.75 * without);
}

}  // namespace
}  // namespace mkc
