// Hidden rows compared: the Gram matrices recomputed entry by entry.
#include "select/hidden_rows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

// Two made-up answers of a copy, and their own variances.
struct Compared {
  Problem truth = test::random_problem(3).problem();
  std::vector<HeldOut> copies = {hide_rows(truth, 0.2, 5)};
  const HeldOut& copy = copies[0];
  std::vector<std::vector<Matrix>> kernels{2};
  Matrix variance = test::random_matrix(20, 3, 9).cwiseAbs();
  std::vector<HiddenRow> rows;

  Compared() {
    for (std::uint64_t m = 0; m < 3; ++m) {
      kernels[0].push_back(test::random_symmetric(20, 10 + m));
      kernels[1].push_back(test::random_symmetric(20, 20 + m));
    }
    rows = compare_hidden_rows(truth, copies,
                               {{hidden_answer(truth, copy, kernels[0], &variance),
                                 hidden_answer(truth, copy, kernels[1], nullptr)}});
  }
};

// <k^_a - k, k^_b - k> of a hidden row over the columns where `counts` is not 0, entry by entry.
double product(const Compared& c, const HiddenRow& row, std::size_t a, std::size_t b,
               const std::function<double(Index)>& counts) {
  const auto& view = c.truth.view(row.view);
  const auto m = static_cast<std::size_t>(row.view);
  const auto own = std::find(view.rows.begin(), view.rows.end(), row.sample) - view.rows.begin();
  double sum = 0;
  for (std::size_t j = 0; j < view.rows.size(); ++j) {
    const double truth = view.block(own, Index(j));
    sum += counts(view.rows[j]) * (c.kernels[a][m](row.sample, view.rows[j]) - truth) *
           (c.kernels[b][m](row.sample, view.rows[j]) - truth);
  }
  return sum;
}

bool is_hidden(const Compared& c, Index m, Index sample) {
  const auto& hidden = c.copy.hidden[at(m)];
  return std::find(hidden.begin(), hidden.end(), sample) != hidden.end();
}

// How often the real problem has a column like that of sample s.
double count_of(const Compared& c, const HiddenRow& row, Index s) {
  const double n = double(c.truth.view(row.view).rows.size());
  const double missing = double(c.truth.missing(row.view).size());
  return s == row.sample ? 1 : (n + missing - 1) / (n - 1);
}

double norm_of(const Compared& c, const HiddenRow& row) {
  const auto& view = c.truth.view(row.view);
  const auto own = std::find(view.rows.begin(), view.rows.end(), row.sample) - view.rows.begin();
  double norm = 0;
  for (std::size_t j = 0; j < view.rows.size(); ++j)
    norm += count_of(c, row, view.rows[j]) * std::pow(view.block(own, Index(j)), 2);
  return norm;
}

TEST(HiddenRows, AreComparedAsOftenAsTheRealProblemHasSuchColumns) {
  const Compared c;
  std::size_t expected_rows = 0;
  for (const auto& hidden : c.copy.hidden) expected_rows += hidden.size();
  ASSERT_EQ(c.rows.size(), expected_rows);
  for (const auto& row : c.rows) {
    const auto& view = c.truth.view(row.view);
    const auto m = static_cast<std::size_t>(row.view);
    const double n = double(view.rows.size()), h = double(c.copy.hidden[m].size());
    const double missing = double(c.truth.missing(row.view).size());
    const double norm = norm_of(c, row);
    const auto count = [&](Index s) {  // of such columns in the real problem
      if (s == row.sample) return 1.0;
      if (h == 1) return (n + missing - 1) / (n - h);
      return is_hidden(c, row.view, s) ? (missing - 1) / (h - 1) : n / (n - h);
    };
    const double drawn = product(c, row, 0, 1, count);
    double estimates = 0;
    for (const Index s : view.rows)
      estimates += count(s) * c.kernels[0][m](row.sample, s) * c.kernels[1][m](row.sample, s);
    EXPECT_NEAR(row.drawn(0, 1), drawn / norm, 1e-10 * std::abs(drawn / norm) + 1e-12);
    EXPECT_NEAR(row.estimates(1, 0), estimates / norm, 1e-10 * std::abs(estimates / norm) + 1e-12);
    EXPECT_NEAR(row.variances(0), c.variance(row.sample, row.view) / norm, 1e-12);
    EXPECT_TRUE(std::isnan(row.variances(1)));
    EXPECT_EQ(row.observed_views, c.copy.problem.observed().row(row.sample).count());
  }
}

TEST(HiddenRows, MissingColumnsCountTheExpectedErrorsOfBothRows) {
  const Compared c;
  const auto visible = [&](const HiddenRow& row) {
    return [&c, m = row.view](Index s) { return is_hidden(c, m, s) ? 0.0 : 1.0; };
  };
  const auto per_column = [&](const HiddenRow& row) {
    double columns = 0;
    for (const Index s : c.truth.view(row.view).rows) columns += visible(row)(s);
    return product(c, row, 0, 1, visible(row)) / columns;
  };
  for (const auto& row : c.rows) {
    const double n = double(c.truth.view(row.view).rows.size());
    const double missing = double(c.truth.missing(row.view).size()) - 1;
    const double others = double(c.copy.hidden[at(row.view)].size()) - 1;
    double mean = 0, count = 0;
    const double norm = norm_of(c, row);
    for (const auto& other : c.rows)
      if (other.view == row.view) {
        mean += per_column(other);
        ++count;
      }
    mean /= count;
    double sum = n * per_column(row) +
                 product(c, row, 0, 1, [&](Index s) { return s == row.sample ? 1.0 : 0.0; });
    // as if 30 more columns had been hidden, each with the sum of both rows
    sum += missing / (others + 30) * product(c, row, 0, 1, [&](Index s) {
             return s != row.sample && is_hidden(c, row.view, s) ? 1.0 : 0.0;
           });
    sum += missing * 30 / (others + 30) * (per_column(row) + mean);
    EXPECT_NEAR(row.residuals(0, 1), sum / norm, 1e-9 * std::abs(sum / norm) + 1e-12);
  }
}

TEST(HiddenRows, MissingColumnErrorIsEstimatedFromAllCopies) {
  const Compared one;
  const std::vector<HeldOut> copies = {one.copy, hide_rows(one.truth, 0.2, 6)};
  // In the second copy the answers are ten times as far off: its rows raise what is expected.
  std::vector<std::vector<HiddenAnswer>> answers;
  for (const double factor : {1.0, 10.0}) {
    std::vector<Matrix> kernels;
    for (std::size_t m = 0; m < 3; ++m) kernels.push_back(factor * one.kernels[0][m]);
    answers.push_back({hidden_answer(one.truth, copies[answers.size()], kernels, nullptr)});
  }
  const auto alone = compare_hidden_rows(one.truth, {one.copy}, {answers[0]});
  const auto both = compare_hidden_rows(one.truth, copies, answers);
  ASSERT_GT(both.size(), alone.size());
  for (std::size_t t = 0; t < alone.size(); ++t) {
    EXPECT_EQ(both[t].sample, alone[t].sample);
    EXPECT_EQ(both[t].drawn, alone[t].drawn);  // a row's own columns are its own copy's
    EXPECT_GT(both[t].residuals(0, 0), alone[t].residuals(0, 0));
  }
}

TEST(HiddenRows, RowsThatAreZeroInTruthAreLeftOut) {
  test::RandomProblem random = test::random_problem(3);
  for (auto& K : random.truth) {
    K.row(2).setZero();
    K.col(2).setZero();
  }
  const Problem truth = random.problem();
  bool hidden = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<HeldOut> copies = {hide_rows(truth, 0.4, seed)};
    std::size_t others = 0;
    for (const auto& of_view : copies[0].hidden)
      for (const Index sample : of_view) {
        hidden = hidden || sample == 2;
        others += sample != 2;
      }
    const auto rows = compare_hidden_rows(
        truth, copies, {{hidden_answer(truth, copies[0], random.truth, nullptr)}});
    EXPECT_EQ(rows.size(), others);
    for (const auto& row : rows) EXPECT_TRUE(row.residuals.allFinite());
  }
  EXPECT_TRUE(hidden);
}

TEST(HiddenRows, ErrorOfAMixtureIsThatOfTheMixedRows) {
  const Compared c;
  Vector w(2);
  w << 0.3, 0.7;
  std::vector<Matrix> mixed;
  for (std::size_t m = 0; m < 3; ++m)
    mixed.push_back(0.3 * c.kernels[0][m] + 0.7 * c.kernels[1][m]);
  const auto rows =
      compare_hidden_rows(c.truth, c.copies, {{hidden_answer(c.truth, c.copy, mixed, nullptr)}});
  for (std::size_t t = 0; t < rows.size(); ++t) {
    EXPECT_NEAR(relative_error(c.rows[t], w), std::sqrt(rows[t].residuals(0, 0)), 1e-10);
    EXPECT_NEAR(drawn_error(c.rows[t], w), std::sqrt(rows[t].drawn(0, 0)), 1e-10);
  }
}

}  // namespace
}  // namespace mkc
