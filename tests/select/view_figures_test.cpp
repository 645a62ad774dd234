// What hidden rows say about views, recomputed from the kernels of every copy.
#include "select/view_figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "mkc/complete.hpp"
#include "numeric/linalg/blas.hpp"
#include "select/stacking.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

bool any_with(const Strings& texts, const std::string& part) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

bool is_hidden(const HeldOut& copy, Index m, Index sample) {
  return std::binary_search(copy.hidden[at(m)].begin(), copy.hidden[at(m)].end(), sample);
}

// Entry (t, j) of the average row as a copy knows it, sum by sum. K: the truth, all samples.
double average_entry(const Matrix& K, const Problem& truth, const HeldOut& copy, Index m, Index t,
                     Index j) {
  double sum = 0, count = 0;
  for (const Index a : truth.view(m).rows)
    for (const Index b : truth.view(m).rows) {
      if (is_hidden(copy, m, a) || is_hidden(copy, m, b)) continue;
      const bool wanted = j == t ? a == b : is_hidden(copy, m, j) ? a != b : b == j && a != b;
      sum += wanted ? K(a, b) : 0;
      count += wanted;
    }
  return sum / count;
}

// A rank-3 view, one that equals it, and one that is constant but for independent noise.
struct Views {
  Problem problem;
  std::vector<Matrix> truth;
};

Views constant_beside_equal_views(Index n = 40) {
  const Matrix X = test::random_matrix(n, 3, 5), Y = test::random_matrix(n, 30, 6);
  const Matrix signal = linalg::gram_of_rows(X);
  const Matrix noise = Matrix::Ones(n, n) + 0.002 * linalg::gram_of_rows(Y);
  Mask observed = Mask::Constant(n, 3, true);
  for (Index i = 0; i < n; ++i) {
    observed(i, 1) = i % 4 != 0;
    observed(i, 2) = i % 4 != 1;
  }
  return {Problem({signal, signal, noise}, observed), {signal, signal, noise}};
}

TEST(AverageRows, AreMeansOverTheRowsThatACopyShows) {
  const test::RandomProblem random = test::random_problem(4);
  const Problem truth = random.problem();
  const HeldOut copy = hide_rows(truth, 0.3, 7);
  for (Index m = 0; m < truth.n_views(); ++m) {
    const Indices &rows = truth.view(m).rows, &hidden = copy.hidden[at(m)];
    const Matrix found = average_rows(truth, copy, m);
    ASSERT_EQ(found.rows(), std::ssize(hidden));
    for (std::size_t k = 0; k < hidden.size(); ++k)
      for (std::size_t j = 0; j < rows.size(); ++j)
        EXPECT_NEAR(found(Index(k), Index(j)),
                    average_entry(random.truth[at(m)], truth, copy, m, hidden[k], rows[j]), 1e-12);
  }
}

TEST(ViewFigures, FollowTheirDefinition) {
  test::RandomProblemOptions options;
  options.n_samples = 40;
  const test::RandomProblem random = test::random_problem(21, options);
  const Problem problem = random.problem();
  StackPlan plan{.candidates = {"knn,k=3", "mean"}, .copies = 3, .first_only = true};
  const Completion c = complete_stacked(problem, plan, {});
  ASSERT_TRUE(c.quality);
  for (Index m = 0; m < problem.n_views(); ++m) {
    double lost = 0, whole = 0, rows = 0, error = 0;
    std::map<Index, std::pair<double, double>> of_sample;
    for (std::uint64_t k = 1; k <= 3; ++k) {
      const HeldOut copy = hide_rows(problem, plan.fraction, 7919 * k);
      const Matrix found = complete(copy.problem, "knn,k=3").kernels[at(m)];
      const Matrix& K = random.truth[at(m)];
      const double n = double(problem.view(m).rows.size()), h = double(copy.hidden[at(m)].size());
      const double missing = double(problem.missing(m).size());
      for (const Index t : copy.hidden[at(m)]) {
        double off = 0, norm = 0;
        for (const Index j : problem.view(m).rows) {
          const double average = average_entry(K, problem, copy, m, t, j);
          // as often as the real problem has such columns
          const double count = j == t                  ? 1
                               : is_hidden(copy, m, j) ? (missing - 1) / (h - 1)
                               : h > 1                 ? n / (n - h)
                                                       : (n + missing - 1) / (n - h);
          off += count * std::pow(average - K(t, j), 2);
          norm += (j == t ? 1 : (n + missing - 1) / (n - 1)) * std::pow(K(t, j), 2);
          if (is_hidden(copy, m, j)) continue;
          of_sample[t].first += std::pow(found(t, j) - K(t, j), 2);
          of_sample[t].second += std::pow(average - K(t, j), 2);
        }
        error += std::sqrt(off / norm);
        ++rows;
      }
    }
    for (const auto& [sample, sums] : of_sample) {
      lost += sums.first;
      whole += sums.second;
    }
    double squares = 0;
    for (const auto& [sample, sums] : of_sample)
      squares += std::pow(sums.first - lost / whole * sums.second, 2);
    const double S = double(of_sample.size());
    EXPECT_NEAR(c.quality->average_row_errors(m), error / rows, 1e-10);
    EXPECT_NEAR(c.quality->recovered(m), 1 - lost / whole, 1e-10);
    EXPECT_NEAR(c.quality->recovered_deviations(m), std::sqrt(S / (S - 1) * squares) / whole,
                1e-10);
    EXPECT_EQ(c.quality->hidden_samples_of_view[at(m)], std::ssize(of_sample));
  }
}

TEST(ViewFigures, ConstantPartOfAKernelDoesNotFlatter) {
  const Views views = constant_beside_equal_views();
  for (const char* method : {"auto,candidates=transfer+wknn+mean", "transfer"}) {
    const Completion c = complete_with_quality(views.problem, method);
    ASSERT_TRUE(c.quality);
    const Quality& q = *c.quality;
    EXPECT_LT(q.held_out_errors(2), 0.05);  // looks excellent
    EXPECT_LT(q.average_row_errors(2), 0.05);
    EXPECT_LT(q.recovered(2), 0.1);
    EXPECT_EQ(q.verdicts[2], Verdict::nothing);
    EXPECT_TRUE(any_with(c.info.warnings, "view 'view2': completed rows"));
    EXPECT_TRUE(any_with(c.info.warnings, "the average row"));
    EXPECT_TRUE(any_with(c.info.warnings, "another kernel or transform"));

    EXPECT_GT(q.recovered(1), 0.95);
    EXPECT_GT(q.average_row_errors(1), 0.5);
    EXPECT_EQ(q.verdicts[1], Verdict::strong);
    EXPECT_FALSE(any_with(c.info.warnings, "view 'view1'"));
  }
  // A mean of many rows is close to the average row.
  const Quality mean = *complete_with_quality(views.problem, "knn,k=20").quality;
  EXPECT_NEAR(mean.recovered(2), 0, 0.15);
  EXPECT_LT(mean.held_out_errors(2), 0.02);
  EXPECT_EQ(mean.verdicts[2], Verdict::nothing);
}

TEST(ViewFigures, DoNotDependOnTheOrderOfSamples) {
  const test::RandomProblem random = test::random_problem(8, {.n_samples = 30});
  Indices samples, views = {0, 1, 2};
  for (Index i = 0; i < 30; ++i) samples.push_back(29 - i);
  const Quality one = *complete_with_quality(random.problem(), "wknn,k=3").quality;
  const Quality other =
      *complete_with_quality(test::permuted(random, samples, views).problem(), "wknn,k=3").quality;
  EXPECT_LT((one.recovered - other.recovered).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((one.average_row_errors - other.average_row_errors).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(one.verdicts, other.verdicts);
}

TEST(ViewFigures, DoNotDependOnTheScaleOfAKernel) {
  test::RandomProblem random = test::random_problem(8, {.n_samples = 30});
  const Quality one = *complete_with_quality(random.problem(), "knn,k=3").quality;
  for (auto& K : random.truth) K *= 1000;
  const Quality other = *complete_with_quality(random.problem(), "knn,k=3").quality;
  EXPECT_LT((one.recovered - other.recovered).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ViewFigures, EqualRowsLeaveNothingToRecover) {
  Views views = constant_beside_equal_views();
  views.truth[2].setOnes();
  const Problem problem({views.truth[0], views.truth[1], views.truth[2]}, views.problem.observed());
  const Quality q = *complete_with_quality(problem, "knn,k=3").quality;
  EXPECT_EQ(q.recovered(2), 0);
  EXPECT_EQ(q.verdicts[2], Verdict::nothing);
}

TEST(RecoveredShare, NeedsTwoSamplesForItsStandardError) {
  HiddenRow row;
  row.norm2 = 10;
  row.visible = Matrix::Constant(1, 1, 1);
  row.from_average = 4;
  const Share one = recovered_share({row, row}, Matrix::Ones(1, 2), 0);
  EXPECT_NEAR(one.value, 0.75, 1e-15);
  EXPECT_TRUE(std::isnan(one.standard_error));
  EXPECT_TRUE(std::isnan(recovered_share({row}, Matrix::Ones(1, 1), 1).value));  // another view
}

// A quality of made-up figures: error, mean of the others, average row, share, for two views.
Quality made_up(const Vector& error, const Vector& mean, const Vector& average,
                const Vector& recovered) {
  Quality q;
  q.held_out_errors = error;
  q.mean_of_others_errors = mean;
  q.average_row_errors = average;
  q.recovered = recovered;
  q.recovered_deviations = Vector::Zero(2);
  for (Index m = 0; m < 2; ++m)
    q.verdicts.push_back(verdict_on({error(m), average(m), recovered(m), 0, 50}));
  return q;
}

TEST(ViewWarnings, NameEveryViewThatIsNoBetterThanSimplerAnswers) {
  const std::vector<JudgedView> views = {{"view0"}, {"view1"}};
  const Quality worse = made_up(Eigen::Vector2d(0.640, 0.2), Eigen::Vector2d(0.624, 0.4),
                                Eigen::Vector2d(0.9, 0.5), Eigen::Vector2d(0.5, 0.8));
  const Strings warnings = warnings_about_views(views, worse);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(any_with(warnings,
                       "view 'view0': completed rows are no better than the mean of the "
                       "other views (error of hidden rows 64.0 %, of that mean 62.4 %)"));
  EXPECT_TRUE(any_with(warnings, "may change that"));
  EXPECT_TRUE(warnings_about_views({{"view0", false, true}, {"view1"}}, worse).empty());
  EXPECT_TRUE(warnings_about_views({{"view0", true, false}, {"view1"}}, worse).empty());

  const Quality flat = made_up(Eigen::Vector2d(0.11, 0.10), Eigen::Vector2d(0.2, 0.16),
                               Eigen::Vector2d(0.10, 0.104), Eigen::Vector2d(-0.2, 0.03));
  const Strings two = warnings_about_views(views, flat);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_TRUE(any_with(two,
                       "no better than the average row (error of hidden rows 11.0 %, of that "
                       "row 10.0 %)"));
  EXPECT_TRUE(any_with(two, "view 'view1': completed rows recover nothing beyond the average row"));
}

TEST(RowNotices, SayWhatIsUnknownAndWhatIsEqual) {
  Mask observed = Mask::Constant(6, 2, true);
  observed(0, 0) = observed(1, 0) = observed(2, 1) = observed(3, 1) = false;
  const Matrix K = linalg::gram_of_rows(test::random_matrix(6, 3, 1));
  const Problem problem({K, K}, observed);
  Quality q;
  q.error = Matrix::Constant(6, 2, 0.3);
  q.low = Matrix::Constant(6, 2, 0.1);
  q.high = Matrix::Constant(6, 2, 0.8);
  q.high(3, 1) = 1.2;
  const Strings notices = notices_about_rows(problem, q);
  ASSERT_EQ(notices.size(), 2u);
  EXPECT_TRUE(any_with(notices,
                       "view 'view0': all 2 completed rows have the same estimate, 30.0 % "
                       "(10.0 % to 80.0 %)"));
  EXPECT_TRUE(any_with(notices, "view 'view1': the error of 1 of 2 completed rows is unknown"));
}

}  // namespace
}  // namespace mkc
