#include "mkc/evaluate/trial.hpp"

#include <cmath>

#include "mkc/evaluate/summary.hpp"
#include "numeric/blocks.hpp"
#include "support/expect_message.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

test::RandomProblem incomplete() {
  test::RandomProblemOptions options;
  options.n_samples = 40;
  options.missing = 0.2;
  return test::random_problem(3, options);
}

EvaluatePlan small_plan() {
  EvaluatePlan plan;
  plan.methods = {"wknn,k=3"};
  plan.repeats = 2;
  return plan;
}

TEST(Scores, AreComputedFromTheDefinition) {
  const auto random = incomplete();
  const Problem truth = random.problem();
  const HeldOut copy = hidden_copy(truth, small_plan(), 1);
  Completion completion;
  for (Index m = 0; m < truth.n_views(); ++m) {
    const Matrix& K = random.truth[at(m)];
    completion.kernels.push_back(K + 0.1 * K.cwiseAbs2());
  }
  const auto scores = score_hidden_rows(truth, copy, completion);
  for (std::size_t m = 0; m < scores.size(); ++m) {
    const Indices& rows = truth.views()[m].rows;
    const Indices& hidden = copy.hidden[m];
    ASSERT_FALSE(hidden.empty());
    const Matrix K = submatrix(random.truth[m], rows, rows);
    const Matrix E = submatrix(completion.kernels[m], rows, rows);
    const Index n = K.rows();
    const Matrix H = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / double(n));
    const Matrix Kc = H * K * H, Ec = H * E * H;
    double are = 0, squared = 0, entries = 0, dot = 0, norm_k = 0, norm_e = 0;
    double lost = 0, whole = 0, average_error = 0;
    const Matrix averages = average_rows(truth, copy, Index(m));
    for (const Index sample : hidden) {
      const Index t = std::find(rows.begin(), rows.end(), sample) - rows.begin();
      const double error = (E - K).col(t).norm() / K.col(t).norm();
      are += error;
      squared += error * error;
      entries += (E - K).col(t).squaredNorm();
      dot += Kc.col(t).dot(Ec.col(t));
      norm_k += Kc.col(t).squaredNorm();
      norm_e += Ec.col(t).squaredNorm();
      const Index k = std::find(hidden.begin(), hidden.end(), sample) - hidden.begin();
      average_error += (averages.row(k).transpose() - K.col(t)).norm() / K.col(t).norm();
      for (Index j = 0; j < n; ++j) {
        if (std::find(hidden.begin(), hidden.end(), rows[at(j)]) != hidden.end()) continue;
        lost += std::pow(E(j, t) - K(j, t), 2);
        whole += std::pow(averages(k, j) - K(j, t), 2);
      }
    }
    const double h = double(hidden.size());
    EXPECT_EQ(scores[m].hidden_rows, Index(hidden.size()));
    EXPECT_NEAR(scores[m].are, 100 * are / h, 1e-10);
    EXPECT_NEAR(scores[m].are_squared, 100 * squared / h, 1e-10);
    EXPECT_NEAR(scores[m].rmse, std::sqrt(entries / (h * double(n))), 1e-12);
    EXPECT_NEAR(scores[m].alignment, dot / std::sqrt(norm_k * norm_e), 1e-10);
    EXPECT_TRUE(std::isnan(scores[m].coverage));
    EXPECT_NEAR(scores[m].average_row, 100 * average_error / h, 1e-10);
    EXPECT_NEAR(scores[m].recovered, 1 - lost / whole, 1e-10);
  }
}

TEST(Scores, CoverageCountsRowsInsideTheirInterval) {
  test::RandomProblemOptions options;
  options.missing = 0;
  const auto random = test::random_problem(4, options);
  const Problem truth = random.problem();
  EvaluatePlan plan = small_plan();
  plan.mechanism = Mechanism::mcar;
  const HeldOut copy = hidden_copy(truth, plan, 1);
  Completion completion;
  for (const auto& K : random.truth) completion.kernels.push_back(1.5 * K);  // error 0.5 everywhere
  Quality quality;
  quality.error = quality.low = Matrix::Zero(truth.n_samples(), truth.n_views());
  quality.high = Matrix::Constant(truth.n_samples(), truth.n_views(), 0.6);
  quality.high(copy.hidden[0].front(), 0) = 0.4;  // one interval misses
  completion.quality = quality;
  const auto scores = score_hidden_rows(truth, copy, completion);
  EXPECT_NEAR(scores[0].coverage, 1 - 1.0 / double(copy.hidden[0].size()), 1e-14);
  EXPECT_EQ(scores[1].coverage, 1);
}

// The copy does not contain the hidden rows: other values there give the same completion, bit for
// bit.
TEST(Trials, HiddenRowsAreNeverRead) {
  const auto random = incomplete();
  const Problem truth = random.problem();
  for (const Mechanism mechanism : {Mechanism::pattern, Mechanism::mcar}) {
    EvaluatePlan plan = small_plan();
    plan.mechanism = mechanism;
    const HeldOut copy = hidden_copy(truth, plan, 1);
    std::vector<ObservedKernel> views = truth.views();
    for (Index m = 0; m < truth.n_views(); ++m)
      for (const Index t : hidden_positions(truth, copy, m)) {
        ObservedKernel& view = views[at(m)];
        Matrix K(view.block);
        K.row(t).setConstant(1234.5);
        K.col(t).setConstant(1234.5);
        view.block = std::move(K);
      }
    ProblemChecks unchecked;
    unchecked.psd = PsdPolicy::unchecked;
    const Problem changed(truth.samples(), views, unchecked);
    const HeldOut changed_copy = hidden_copy(changed, plan, 1);
    ASSERT_EQ(changed_copy.hidden, copy.hidden);
    for (const char* method : {"mean", "knn", "auto,candidates=wknn+mean"}) {
      const TrialPlan trial{method, 1, false};
      const Completion a = complete_trial(copy.problem, trial, plan, {});
      const Completion b = complete_trial(changed_copy.problem, trial, plan, {});
      for (std::size_t m = 0; m < a.kernels.size(); ++m)
        EXPECT_EQ(a.kernels[m], b.kernels[m]) << method;
      const TrialResult before = run_trial(truth, trial, plan, nullptr, {});
      const TrialResult after = run_trial(changed, trial, plan, nullptr, {});
      EXPECT_EQ(before.spec, after.spec);                  // the choice of options did not use them
      EXPECT_NE(before.views[0].are, after.views[0].are);  // only the score does
    }
  }
}

TEST(Trials, RepeatsHideDifferentRows) {
  const Problem problem = incomplete().problem();
  EXPECT_NE(hidden_copy(problem, small_plan(), 1).hidden,
            hidden_copy(problem, small_plan(), 2).hidden);
}

TEST(Trials, ThreadsDoNotChangeTheScores) {
  const Problem problem = incomplete().problem();
  const TrialPlan trial{"auto,candidates=wknn+mean+embd_hm", 1, false};
  RunOptions two;
  two.threads = 2;
  const TrialResult a = run_trial(problem, trial, small_plan(), nullptr, {});
  const TrialResult b = run_trial(problem, trial, small_plan(), nullptr, two);
  for (std::size_t m = 0; m < a.views.size(); ++m) {
    EXPECT_EQ(a.views[m].are, b.views[m].are);
    EXPECT_EQ(a.views[m].coverage, b.views[m].coverage);
  }
}

TEST(Trials, BaselinesAreIncludedAndNoMethodTwice) {
  EvaluatePlan plan = small_plan();
  plan.methods = {"knn", "wknn"};
  const auto trials = plan_trials(plan, incomplete().problem(), nullptr);
  ASSERT_EQ(trials.size(), 6u);
  EXPECT_EQ(trials[0].method, "mean");
  EXPECT_EQ(trials[1].method, "knn");
  EXPECT_EQ(trials[2].method, "wknn");
  EXPECT_EQ(trials[3].repeat, 2);
}

TEST(Trials, LabelsAreScoredOnTheProblemAsItIs) {
  const auto random = incomplete();
  Strings texts;
  for (Index i = 0; i < 40; ++i) texts.push_back(random.truth[0](i, 0) > 0.5 ? "near" : "far");
  const Target labels = make_labels(texts);
  const Problem problem = random.problem();
  const auto trials = plan_trials(small_plan(), problem, &labels);
  ASSERT_EQ(trials.size(), 2u * 3 + 3 + 1);
  EXPECT_EQ(trials.back().method, complete_cases);
  EXPECT_EQ(trials.back().repeat, 0);
  const TrialResult given = run_trial(problem, trials[6], small_plan(), &labels, {});
  EXPECT_TRUE(given.views.empty());
  ASSERT_EQ(given.labels.size(), 4u);  // two repeats, on all samples and on the complete ones
  EXPECT_EQ(given.labels[2].repeat, 2);
}

TEST(Trials, LabelsOfACompleteProblemAreScoredOnItsCopies) {
  test::RandomProblemOptions options;
  options.missing = 0;
  const auto random = test::random_problem(3, options);
  const Target labels = make_labels(Strings(20, "a"));
  EvaluatePlan plan = small_plan();
  test::expect_message([&] { plan_trials(plan, random.problem(), nullptr); }, "no pattern");
  plan.mechanism = Mechanism::mcar;
  const auto trials = plan_trials(plan, random.problem(), &labels);
  ASSERT_EQ(trials.size(), 2u * 3 + 2);
  for (const auto& trial : trials) EXPECT_TRUE(trial.labels && trial.repeat > 0);
}

TEST(Trials, AMethodThatCannotRunGivesAFailure) {
  const auto random = incomplete();
  const Target none = make_labels(Strings(40));
  const TrialResult result =
      run_trial(random.problem(), {complete_cases, 0, true}, small_plan(), &none, {});
  EXPECT_NE(result.failure.find("too few"), std::string::npos);
  EXPECT_EQ(result.status, "failed");
}

TEST(Summary, IsTheMeanOverViewsThenOverRepeats) {
  const double nan = std::nan("");
  FinishedTrial first{{"a", 1, false}, {}}, second{{"a", 2, false}, {}}, other{{"b", 1, false}, {}};
  first.result.views = {{2, 10, 1, 1, 1, 1}, {2, 20, 1, 1, 1, 0.5}, {0, nan, nan, nan, nan, nan}};
  second.result.views = {{4, 25, 1, 1, 1, 0.5}};
  first.result.seconds = 1;
  second.result.seconds = 2;
  first.result.peak_mib = 7;
  second.result.peak_mib = 5;
  other.result.failure = "no";
  const auto summaries = summarize({first, other, second});
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_DOUBLE_EQ(summaries[0].are.mean, 20);  // (15 + 25) / 2
  EXPECT_DOUBLE_EQ(summaries[0].are.deviation, std::sqrt(50));
  EXPECT_DOUBLE_EQ(summaries[0].coverage, (2 + 1 + 2) / 8.0);
  EXPECT_DOUBLE_EQ(summaries[0].seconds, 1.5);
  EXPECT_DOUBLE_EQ(summaries[0].peak_mib, 7);
  EXPECT_TRUE(std::isnan(summaries[1].are.mean));
  EXPECT_EQ(summaries[1].failure, "no");
}

}  // namespace
}  // namespace mkc
