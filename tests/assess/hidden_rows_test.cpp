// Hidden rows compared: the Gram matrices recomputed entry by entry.
#include "mkc/assess/hidden_rows.hpp"

#include <algorithm>
#include <cmath>

#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

// Two made-up answers of a copy, and what they say of their own variance.
struct Compared {
  Problem truth = test::random_problem(3).problem();
  HeldOut copy = hide_rows(truth, 0.2, 5);
  std::vector<std::vector<Matrix>> kernels{2};
  Matrix variance = test::random_matrix(20, 3, 9).cwiseAbs();
  std::vector<HiddenRow> rows;

  Compared() {
    for (std::uint64_t m = 0; m < 3; ++m) {
      kernels[0].push_back(test::random_symmetric(20, 10 + m));
      kernels[1].push_back(test::random_symmetric(20, 20 + m));
    }
    rows = compare_hidden_rows(truth, copy,
                               {hidden_answer(truth, copy, kernels[0], &variance),
                                hidden_answer(truth, copy, kernels[1], nullptr)});
  }
};

TEST(HiddenRows, AreComparedAsOftenAsTheRealProblemHasSuchColumns) {
  const Compared c;
  std::size_t expected_rows = 0;
  for (const auto& hidden : c.copy.hidden) expected_rows += hidden.size();
  ASSERT_EQ(c.rows.size(), expected_rows);
  for (const auto& row : c.rows) {
    const auto& view = c.truth.view(row.view);
    const auto& hidden = c.copy.hidden[static_cast<std::size_t>(row.view)];
    const double n = double(view.rows.size()), h = double(hidden.size());
    const double missing = double(c.truth.missing(row.view).size());
    double norm = 0, cross = 0, estimates = 0;
    const auto own = std::find(view.rows.begin(), view.rows.end(), row.sample) - view.rows.begin();
    for (std::size_t j = 0; j < view.rows.size(); ++j) {
      const Index s = view.rows[j];
      const bool is_hidden = std::find(hidden.begin(), hidden.end(), s) != hidden.end();
      double count = is_hidden ? (missing - 1) / (h - 1) : n / (n - h);
      if (h == 1) count = (n + missing - 1) / (n - h);
      if (s == row.sample) count = 1;
      const double truth = view.block(own, Index(j));
      const double a = c.kernels[0][std::size_t(row.view)](row.sample, s);
      const double b = c.kernels[1][std::size_t(row.view)](row.sample, s);
      norm += count * truth * truth;
      cross += count * (a - truth) * (b - truth);
      estimates += count * a * b;
    }
    EXPECT_NEAR(row.residuals(0, 1), cross / norm, 1e-10 * std::abs(cross / norm) + 1e-12);
    EXPECT_NEAR(row.estimates(1, 0), estimates / norm, 1e-10 * std::abs(estimates / norm) + 1e-12);
    EXPECT_NEAR(row.variances(0), c.variance(row.sample, row.view) / norm, 1e-12);
    EXPECT_TRUE(std::isnan(row.variances(1)));
    EXPECT_EQ(row.observed_views, c.copy.problem.observed().row(row.sample).count());
  }
}

TEST(HiddenRows, ErrorOfAMixtureIsThatOfTheMixedRows) {
  const Compared c;
  Vector w(2);
  w << 0.3, 0.7;
  std::vector<Matrix> mixed;
  for (std::size_t m = 0; m < 3; ++m)
    mixed.push_back(0.3 * c.kernels[0][m] + 0.7 * c.kernels[1][m]);
  const auto rows =
      compare_hidden_rows(c.truth, c.copy, {hidden_answer(c.truth, c.copy, mixed, nullptr)});
  for (std::size_t t = 0; t < rows.size(); ++t)
    EXPECT_NEAR(relative_error(c.rows[t], w), std::sqrt(rows[t].residuals(0, 0)), 1e-10);
}

}  // namespace
}  // namespace mkc
