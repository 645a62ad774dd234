// Stacked completion: what is returned agrees with the records.
#include "select/stacking.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "base/stopwatch.hpp"
#include "methods/single_methods.hpp"
#include "mkc/base/error.hpp"
#include "mkc/complete.hpp"
#include "select/auto.hpp"
#include "select/conformal.hpp"
#include "select/hidden_rows.hpp"
#include "select/missingness.hpp"
#include "select/neighbours.hpp"
#include "select/weights.hpp"
#include "support/expect_message.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

Problem some_problem(std::uint64_t seed = 21) {
  test::RandomProblemOptions options;
  options.n_samples = 40;
  return test::random_problem(seed, options).problem();
}

StackPlan small_plan(Strings candidates) {
  StackPlan plan;
  plan.candidates = std::move(candidates);
  plan.copies = 4;
  return plan;
}

void expect_option_error(const std::string& method, const std::string& part) {
  try {
    complete(some_problem(), method);
    ADD_FAILURE() << "no error";
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(CompleteStacked, IsTheConvexCombinationItReports) {
  const Problem problem = some_problem();
  const Completion c = complete_stacked(problem, small_plan({"wknn", "mean", "knn,k=3"}), {});
  ASSERT_EQ(c.candidates.size(), 3u);
  for (Index m = 0; m < problem.n_views(); ++m) {
    Matrix expected = Matrix::Zero(40, 40);
    double sum = 0;
    for (const auto& candidate : c.candidates) {
      expected += candidate.weights(m) * complete(problem, candidate.spec).kernels[at(m)];
      sum += candidate.weights(m);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_LE((c.kernels[at(m)] - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(CompleteStacked, EstimatesTheErrorOfEveryCompletedRowAndNoOther) {
  const Problem problem = some_problem();
  const Completion c = complete_stacked(problem, small_plan({"wknn", "mean"}), {});
  ASSERT_TRUE(c.quality);
  EXPECT_GT(c.quality->hidden_rows, 20);
  for (Index m = 0; m < problem.n_views(); ++m)
    for (Index t = 0; t < problem.n_samples(); ++t) {
      EXPECT_EQ(std::isnan(c.quality->error(t, m)), problem.observed()(t, m));
      if (problem.observed()(t, m)) continue;
      EXPECT_GE(c.quality->low(t, m), 0);
      EXPECT_LE(c.quality->low(t, m), c.quality->high(t, m));
    }
  EXPECT_EQ(c.quality->mean_of_others_errors, c.candidates[1].held_out_errors);
}

// sum_c w_c u_c / sum_c w_c over the candidates with an own variance u.
double own_variance(const Vector& weights, const std::vector<std::optional<double>>& variances) {
  double sum = 0, known = 0;
  for (std::size_t k = 0; k < variances.size(); ++k)
    if (variances[k]) {
      sum += weights(Index(k)) * *variances[k];
      known += weights(Index(k));
    }
  return known > 0 ? sum / known : 0;
}

double disagreement(double squares, double square) {
  return squares > (1 + 1e-12) * square ? squares / square - 1 : 0;
}

// The mean squared norm of observed rows, with as many entries as a completed one.
double usual_norm2(const Problem& problem, Index m) {
  double sum = 0;
  const ObservedKernel& view = problem.view(m);
  const double n = double(view.rows.size());
  for (Index i = 0; i < view.block.cols(); ++i) sum += view.block.col(i).squaredNorm() / n;
  return sum * double(problem.n_samples()) / n;
}

// Intervals put together from the hidden rows of every copy, one step after another.
TEST(CompleteStacked, IntervalsFollowTheirDefinition) {
  const Problem problem = some_problem();
  const Index M = problem.n_views();
  StackPlan plan = small_plan({"wknn", "mean", "affine"});
  plan.rate = 0.5;
  plan.margin = 0.5;
  const Completion c = complete_stacked(problem, plan, {});

  std::vector<HeldOut> copies;
  std::vector<std::vector<HiddenAnswer>> answers;
  Vector hidden = Vector::Zero(M);
  for (std::uint64_t copy = 1; copy <= 4; ++copy) {
    copies.push_back(hide_rows(problem, plan.fraction, 7919 * copy));
    answers.emplace_back();
    for (const auto& candidate : c.candidates) {  // with the options they chose
      const Completion one = complete(copies.back().problem, candidate.spec);
      answers.back().push_back(hidden_answer(problem, copies.back(), one.kernels,
                                             one.uncertainty ? &*one.uncertainty : nullptr));
    }
    for (Index m = 0; m < M; ++m) hidden(m) += double(copies.back().hidden[at(m)].size()) / 4;
  }
  const auto rows = compare_hidden_rows(problem, copies, answers);
  const Folds folds = folds_of(rows, problem.samples());
  const Stack stack = choose_stack(rows, M, folds);
  const Matrix distances = neighbour_distances(problem);
  const std::vector<Missingness> missingness = model_missingness(problem, distances);
  std::vector<RowSignals> signals;
  Vector errors(Index(rows.size()));
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const Vector w = stack.weights.col(rows[t].view);
    const double square = w.dot(rows[t].estimates * w);
    std::vector<std::optional<double>> variances;
    for (const double variance : rows[t].variances)
      variances.push_back(std::isnan(variance) ? std::nullopt : std::optional(variance));
    signals.push_back({rows[t].view, rows[t].sample, rows[t].observed_views,
                       disagreement(w.dot(rows[t].estimates.diagonal()), square),
                       own_variance(w, variances) / square,
                       square * rows[t].norm2 / usual_norm2(problem, rows[t].view),
                       std::exp(mean_over(distances, rows[t].sample, rows[t].sources))});
    signals.back().odds = missingness[at(rows[t].view)].odds(rows[t].sample);
    errors(Index(t)) = drawn_error(rows[t], stack.row_weights.col(Index(t)));
  }
  const ConformalErrors conformal(signals, errors, M, 0.9, plan.margin, folds);

  std::vector<Completion> finals;
  for (const auto& candidate : c.candidates) finals.push_back(complete(problem, candidate.spec));
  for (Index m = 0; m < M; ++m) {
    const auto view = static_cast<std::size_t>(m);
    const double known = 1 - hidden(m) / double(problem.view(m).rows.size());
    for (const Index t : problem.missing(m)) {
      const double square = c.kernels[view].col(t).squaredNorm();
      double squares = 0;
      std::vector<std::optional<double>> variances;
      for (std::size_t k = 0; k < finals.size(); ++k) {
        squares += stack.weights(Index(k), m) * finals[k].kernels[view].col(t).squaredNorm();
        variances.push_back(finals[k].uncertainty ? std::optional((*finals[k].uncertainty)(t, m))
                                                  : std::nullopt);
      }
      const ErrorEstimate expected = conformal.estimate(
          {m, t, problem.observed().row(t).count(), disagreement(squares, square),
           own_variance(stack.weights.col(m), variances) / square, square / usual_norm2(problem, m),
           std::exp(mean_over(distances, t, other_views(problem.observed(), t, m))),
           missingness[at(m)].odds(t)});
      EXPECT_NEAR(c.quality->error(t, m), expected.error, 1e-9);
      EXPECT_NEAR(c.quality->low(t, m), std::sqrt(known) * expected.low, 1e-9);
      EXPECT_NEAR(c.quality->high(t, m), expected.high, 1e-9);
    }
  }
}

TEST(CompleteStacked, IntervalsHoldTheErrorWithAboutTheNominalProbability) {
  test::RandomProblemOptions options;
  options.n_samples = 60;
  double inside = 0, rows = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const test::RandomProblem random = test::random_problem(seed, options);
    const Problem problem = random.problem();
    const Completion c =
        complete_stacked(problem, plan_for(problem.n_samples(), {"wknn", "affine", "mean"}), {});
    for (Index m = 0; m < problem.n_views(); ++m)
      for (const Index t : problem.missing(m)) {
        const Vector truth = random.truth[at(m)].col(t);
        const double error = (c.kernels[at(m)].col(t) - truth).norm() / truth.norm();
        inside += c.quality->low(t, m) <= error && error <= c.quality->high(t, m);
        ++rows;
      }
  }
  EXPECT_GT(rows, 300) << inside / rows;
  EXPECT_GT(inside / rows, 0.86);
  EXPECT_LT(inside / rows, 0.96);
}

// `auto` that chose one candidate, and this candidate alone, say the same of every view and row.
void expect_same_judgement(const Problem& problem, StackPlan plan) {
  const Completion stacked = complete_stacked(problem, plan, {});
  for (const double weight : stacked.candidates[0].weights) ASSERT_EQ(weight, 1);
  plan.first_only = true;
  const Completion alone = complete_stacked(problem, plan, {});
  EXPECT_EQ(stacked.kernels, alone.kernels);
  EXPECT_EQ(stacked.quality->held_out_errors, alone.quality->held_out_errors);
  EXPECT_EQ(stacked.quality->recovered, alone.quality->recovered);
  EXPECT_EQ(stacked.quality->verdicts, alone.quality->verdicts);
  for (Index m = 0; m < problem.n_views(); ++m)
    for (const Index t : problem.missing(m)) {
      EXPECT_EQ(stacked.quality->error(t, m), alone.quality->error(t, m));
      EXPECT_EQ(stacked.quality->high(t, m), alone.quality->high(t, m));
    }
}

TEST(CompleteStacked, JudgesACandidateAsTheCandidateAloneIsJudged) {
  expect_same_judgement(some_problem(), small_plan({"knn,k=3", "alone"}));
}

TEST(CompleteStacked, WithHalvesTheFiguresOfAViewAreThoseOfTheHalfThatJudges) {
  test::RandomProblemOptions options;
  options.n_samples = 140;
  const test::RandomProblem random = test::random_problem(4, options);
  const Problem problem = random.problem();
  StackPlan plan = small_plan({"knn,k=3"});
  plan.copies = 1;
  plan.fraction = 0.4;
  plan.halves = true;
  expect_same_judgement(problem, plan);
  const Completion c = complete_stacked(problem, plan, {});
  EXPECT_TRUE(c.quality->split_conformal);

  const HeldOut copy = hide_rows(problem, plan.fraction, 7919);
  const Completion knn = complete(copy.problem, "knn,k=3");
  const auto all = compare_hidden_rows(
      problem, {copy}, {{hidden_answer(problem, copy, knn.kernels, nullptr)}}, true);
  const std::vector<bool> half = judging_half(problem.samples());
  for (Index m = 0; m < problem.n_views(); ++m) {
    double sum = 0, rows = 0;
    for (const auto& row : all)
      if (row.view == m && half[at(row.sample)]) {
        sum += relative_error(row, Vector::Ones(1));
        ++rows;
      }
    EXPECT_NEAR(c.quality->held_out_errors(m), sum / rows, 1e-12);
  }
}

TEST(CompleteStacked, SkipsCandidatesThatCannotRunAndReportsWhy) {
  const Completion c = complete_stacked(some_problem(), small_plan({"wknn", "em"}), {});
  EXPECT_NE(c.candidates[1].skipped.find("complete"), std::string::npos) << c.candidates[1].skipped;
  EXPECT_EQ(c.candidates[1].weights.sum(), 0);
  EXPECT_TRUE(c.candidates[0].skipped.empty());
}

TEST(CompleteStacked, ThrowsWhereNoCandidateCanRun) {
  test::expect_message([] { complete_stacked(some_problem(), small_plan({"em"}), {}); },
                       "no candidate can run");
}

TEST(CompleteStacked, InterruptedAtOnceStillCompletes) {
  const Problem problem = some_problem();
  RunOptions run;
  run.progress = [](const Progress&) { return false; };
  const Completion c = complete_stacked(problem, small_plan({"wknn", "mean"}), run);
  EXPECT_EQ(c.info.status, Status::interrupted);
  EXPECT_FALSE(c.quality);
  EXPECT_EQ(c.kernels, complete(problem, "wknn").kernels);
}

TEST(CompleteWithQuality, ReturnsTheMethodsOwnKernels) {
  const Problem problem = some_problem();
  const Completion c = complete_with_quality(problem, "knn,k=3");
  EXPECT_EQ(c.info.method, "knn");
  EXPECT_TRUE(c.quality);
  EXPECT_TRUE(c.candidates.empty());
  const Completion alone = complete(problem, "knn,k=3");
  for (std::size_t m = 0; m < alone.kernels.size(); ++m)
    EXPECT_LE((c.kernels[m] - alone.kernels[m]).norm(), 1e-14 * alone.kernels[m].norm());
}

TEST(CompleteWithQuality, ChoosesOptionsOnTheWholeProblem) {
  const Problem problem = some_problem();
  for (const std::string method : {"transfer", "latent", "wknn"}) {
    const Completion with = complete_with_quality(problem, method),
                     alone = complete(problem, method);
    EXPECT_EQ(with.info.parameters, alone.info.parameters) << method;
    for (std::size_t m = 0; m < alone.kernels.size(); ++m)
      EXPECT_LE((with.kernels[m] - alone.kernels[m]).norm(), 1e-14 * alone.kernels[m].norm())
          << method;
  }
}

TEST(CompleteWithQuality, AMethodThatCannotRunIsNotReplaced) {
  test::expect_message([] { complete_with_quality(some_problem(), "em"); }, "complete");
}

TEST(CompleteStacked, TheModelsOwnKernelsAreMixedWhereTheyAreAskedFor) {
  const Problem problem = some_problem();
  RunOptions run;
  run.fitted = true;
  const Completion alone = complete(problem, "mean", run);
  EXPECT_EQ(complete_with_quality(problem, "mean", run).kernels, alone.kernels);
  const Completion c = complete(problem, "auto,candidates=mean+wknn", run);
  for (Index m = 0; m < problem.n_views(); ++m) {
    Matrix expected = Matrix::Zero(40, 40);
    for (const auto& candidate : c.candidates)
      expected += candidate.weights(m) * complete(problem, candidate.spec, run).kernels[at(m)];
    EXPECT_LE((c.kernels[at(m)] - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(CompleteStacked, ACandidateThatChoseTheSameAsAnotherIsLeftOut) {
  const Problem problem = some_problem();
  const Completion once = complete_stacked(problem, small_plan({"knn,k=3", "mean"}), {}),
                   twice =
                       complete_stacked(problem, small_plan({"knn,k=3", "knn,k=3", "mean"}), {});
  ASSERT_EQ(twice.candidates.size(), 3u);
  EXPECT_NE(twice.candidates[1].skipped.find("same method and options as 'knn,k=3'"),
            std::string::npos);
  EXPECT_EQ(twice.candidates[1].weights.sum(), 0);
  EXPECT_EQ(once.kernels, twice.kernels);
}

// Completes a plan of the mean, a method with a quick form and one that repeats the mean.
Completion screened(int threads) {
  StackPlan plan = small_plan({"mean", "embd_hm,ridge=0.01", "transfer", "alone"});
  plan.quick = {"", "embd_hm,ridge=0.01,c2=0.1", "", ""};
  plan.optional = {false, true, false, true};
  plan.costs = plan.run_costs = {1, 3, 2, 4};
  RunOptions run;
  run.threads = threads;
  return complete_stacked(some_problem(), plan, run);
}

TEST(CompleteStacked, WhatIsNotNeededIsNotTriedOnAllCopies) {
  const Completion c = screened(1), again = screened(2);
  ASSERT_EQ(c.candidates.size(), 4u);
  for (const std::size_t k : {0, 2}) EXPECT_EQ(c.candidates[k].skipped, "");
  EXPECT_NE(c.candidates[3].skipped.find("not needed"), std::string::npos);
  EXPECT_EQ(c.candidates[3].weights.sum(), 0);
  EXPECT_EQ(c.candidates[3].held_out_errors.size(), 0);  // not compared
  EXPECT_EQ(c.kernels, again.kernels);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_EQ(c.candidates[k].skipped, again.candidates[k].skipped);
}

TEST(CompleteStacked, AQuickFormIsOnlyALookAhead) {
  // nothing may be left out: the options are those that the method chooses
  StackPlan plan = small_plan({"mean", "knn,k=auto"});
  const Completion usual = complete_stacked(some_problem(), plan, {});
  plan.quick = {"", "knn,k=19"};
  plan.optional = {false, false};
  const Completion c = complete_stacked(some_problem(), plan, {});
  EXPECT_EQ(c.candidates[1].spec, usual.candidates[1].spec);
  EXPECT_EQ(c.kernels, usual.kernels);
}

TEST(CompleteStacked, RowsThatAreZeroHaveNoAbsurdErrors) {
  for (const double zero : {0.0, 1e-9}) {  // or zero up to rounding
    test::RandomProblem random = test::random_problem(4);
    for (auto& K : random.truth)
      for (const Index t : {0, 5, 9, 13}) {
        K.row(t) *= zero;
        K.col(t) *= zero;
      }
    const Problem problem = random.problem();
    const Completion c = complete(problem, "auto,candidates=transfer+mean+wknn+latent");
    ASSERT_TRUE(c.quality);
    for (Index m = 0; m < problem.n_views(); ++m)
      for (const Index t : problem.missing(m))
        EXPECT_LT(c.quality->high(t, m), 10) << zero << " " << t << " " << m;
  }
}

TEST(Auto, ItsErrorsAreThoseOfTheKernelsThatAreReturned) {
  // centring is undone before a hidden row is compared, as for a method alone
  const Problem problem = some_problem();
  RunOptions run;
  run.transforms = {{Normalization::unit, true}};
  const Completion as_auto = complete(problem, "auto,candidates=mean", run),
                   alone = complete_with_quality(problem, "mean", run);
  for (Index m = 0; m < problem.n_views(); ++m) {
    EXPECT_EQ(as_auto.quality->held_out_errors(m), alone.quality->held_out_errors(m));
    for (const Index t : problem.missing(m))
      EXPECT_EQ(as_auto.quality->error(t, m), alone.quality->error(t, m));
    EXPECT_LE((as_auto.kernels[at(m)] - alone.kernels[at(m)]).norm(), 1e-12);
  }
}

// Two complete views, and one of so few samples that none can be hidden.
Problem nothing_to_hide() {
  test::RandomProblem random = test::random_problem(6, {.missing = 0});
  for (Index i = 3; i < random.observed.rows(); ++i) random.observed(i, 2) = false;
  return random.problem();
}

TEST(Auto, ComparesNothingWhereNoRowCanBeHidden) {
  const Problem problem = nothing_to_hide();
  bool tried = false;
  RunOptions run;
  run.progress = [&](const Progress& p) {
    tried = tried || p.phase == "trying candidates";
    return true;
  };
  const Completion c = complete(problem, "auto,candidates=wknn+mean", run);
  EXPECT_FALSE(tried);
  EXPECT_FALSE(c.quality);
  EXPECT_EQ(c.kernels, complete(problem, "wknn").kernels);
  EXPECT_TRUE(c.candidates[0].skipped.empty());
  EXPECT_EQ(c.candidates[1].skipped, "not tried: no row could be hidden");
  for (const auto& notice : c.info.notices)
    EXPECT_EQ(notice.find("best single candidate"), std::string::npos) << notice;
}

TEST(CompleteStacked, WhatTheCallbackThrowsIsThrown) {
  for (const int threads : {1, 2}) {
    RunOptions run;
    run.threads = threads;
    run.progress = [](const Progress&) -> bool { throw std::domain_error("enough"); };
    EXPECT_THROW(complete_stacked(some_problem(), small_plan({"wknn", "mean"}), run),
                 std::domain_error);
  }
}

TEST(CompleteStacked, AnInterruptStopsTheFinalRunsOnAnyNumberOfThreads) {
  const std::string slow = "embd_hm,c2=0.1,ridge=0.1", fast = "mean";
  for (const int threads : {1, 2})
    for (const Strings& candidates : {Strings{slow, "mkmc", fast}, Strings{fast, "mkmc", slow}}) {
      RunOptions run;
      run.threads = threads;
      run.progress = [](const Progress& p) { return p.phase == "trying candidates"; };
      const Completion c = complete_stacked(some_problem(), small_plan(candidates), run);
      EXPECT_EQ(c.info.status, Status::interrupted) << threads << candidates[0];
      EXPECT_FALSE(c.quality) << threads << candidates[0];
    }
}

TEST(CompleteStacked, ReportsTheShareOfItsWork) {
  for (const int threads : {1, 2}) {
    std::vector<double> shares;
    bool has_result = false;
    RunOptions run;
    run.threads = threads;
    run.progress = [&](const Progress& p) {
      if (p.phase != "trying candidates") return true;
      shares.push_back(p.share);
      has_result = has_result || p.has_result;
      return true;
    };
    StackPlan plan = small_plan({"embd_hm,c2=0.1,ridge=0.1", "mkmc", "mean"});
    plan.costs = {40, 90, 30};
    plan.run_costs = {10, 20, 10};
    complete_stacked(some_problem(), plan, run);
    ASSERT_FALSE(shares.empty());
    for (const double share : shares) EXPECT_TRUE(share > 0 && share <= 1) << share;
    EXPECT_LT(shares.front(), 0.01);
    EXPECT_GT(shares.back(), 0.3);
    EXPECT_FALSE(has_result);  // a copy is not the problem
  }
}

// Before a candidate has finished, its nominal seconds say how much is done.
TEST(CompleteStacked, ForeseesItsShareFromTheFirstCandidateOn) {
  const Stopwatch watch;
  std::vector<std::pair<double, double>> reports;  // seconds and share
  RunOptions run;
  run.progress = [&](const Progress& p) {
    if (p.phase == "trying candidates" && p.iteration == 0)
      reports.emplace_back(watch.seconds(), p.share);
    return true;
  };
  StackPlan plan = small_plan({"mkmc", "mean"});
  plan.costs = {4500, 1500};  // on four copies and once more; not reached here
  plan.run_costs = {900, 300};
  complete_stacked(some_problem(), plan, run);
  ASSERT_GT(reports.size(), 3u);
  const double whole = 4.5 * (900 + 300);  // half of the candidates are used in the end
  for (const auto& [seconds, share] : reports) EXPECT_LE(share, 1e-9 + seconds / whole);
  EXPECT_GT(reports.back().second, reports[1].second);
}

TEST(CompleteStacked, FollowsACandidateThatTakesLongerThanForeseen) {
  std::vector<double> shares;
  RunOptions run;
  run.progress = [&](const Progress& p) {
    if (p.phase == "trying candidates" && p.iteration == 0) shares.push_back(p.share);
    return true;
  };
  StackPlan plan = small_plan({"mkmc", "mean"});
  plan.costs = {5e-12, 5e-12};
  plan.run_costs = {1e-12, 1e-12};
  complete_stacked(some_problem(), plan, run);
  ASSERT_GT(shares.size(), 3u);
  EXPECT_NEAR(shares.back(), 1 / 9.0, 1e-6);  // one run of 2 x 4.5 that cost the same
}

TEST(Auto, ReportsItsCandidatesAndTheBestOne) {
  const Completion c = complete(some_problem(), "auto,candidates=wknn+mean");
  EXPECT_EQ(c.info.method, "auto");
  EXPECT_EQ(c.info.parameters[1].second, "wknn+mean");
  bool reported = false;
  for (const auto& notice : c.info.notices)
    reported = reported || notice.find("repeat it alone with the method '") != std::string::npos;
  EXPECT_TRUE(reported);
}

TEST(Auto, RefusesItselfAndUnknownNames) {
  expect_option_error("auto,candidates=auto", "its own candidate");
  expect_option_error("auto,candidates=wknn+nope", "nope");
}

TEST(Auto, AnnouncesTheMemoryOfTheCandidatesItTries) {
  const auto bytes = [](const OptionValues& options) { return auto_bytes(options, 1000, 4, 2); };
  EXPECT_EQ(bytes({}), auto_method().working_bytes(1000, 4, 2));
  EXPECT_LT(bytes({{"candidates", "alone+mean"}}), bytes({{"budget", "10"}}));
  EXPECT_LE(bytes({{"budget", "10"}}), bytes({}));
  EXPECT_LT(bytes({}), bytes({{"budget", "1e9"}}));
}

TEST(Candidates, EveryMethodHasACost) {
  for (const auto& method : single_methods()) {
    const Candidate candidate = named_candidate(method.name, 100, 3, 2);
    EXPECT_GT(candidate.gigaflops_of_run, 0) << method.name;
    EXPECT_GE(candidate.gigaflops, 3 * candidate.gigaflops_of_run) << method.name;
  }
}

TEST(Candidates, AreFewerOnASmallerBudgetAndNeverNone) {
  const auto none = affordable_candidates(1000, 5, 2, 0);
  ASSERT_EQ(none.size(), 3u);  // transfer, mean, alone
  std::size_t last = none.size();
  for (const double budget : {1.0, 10.0, 100.0, 1e3, 1e6}) {
    const auto some = affordable_candidates(1000, 5, 2, budget);
    EXPECT_GE(some.size(), last);
    last = some.size();
  }
  EXPECT_GT(last, 4u);
  const auto all = affordable_candidates(100, 5, 2, std::numeric_limits<double>::infinity());
  const auto larger = affordable_candidates(200, 5, 2, std::numeric_limits<double>::infinity());
  for (const auto& one : all)
    for (const auto& other : larger)
      if (std::string_view(one.name) == other.name) {
        EXPECT_GT(other.gigaflops, 2 * one.gigaflops) << one.name;
      }
}

TEST(Candidates, RarelyUsefulOnesCostLittle) {
  constexpr double budget = 120;
  for (const Index n : {50, 200, 500}) {
    double spent = 0;
    bool late = false;
    for (const auto& one : affordable_candidates(n, 6, 3, budget)) {
      if (late) {
        EXPECT_LE(one.gigaflops, std::max(0.2 * spent, 0.03 * 10 * budget))
            << one.name << " of " << n;
      }
      spent += one.gigaflops;
      late = late || std::string_view(one.name) == "latent";
    }
    EXPECT_TRUE(late);
    EXPECT_LE(spent, 10 * budget);
  }
}

TEST(Candidates, HoldEveryMethodOfThePaperWhereTheProblemIsSmallOrTheBudgetLarge) {
  const auto names = [](Index n, double budget) {
    std::set<std::string> found;
    for (const auto& one : affordable_candidates(n, 6, 3, budget)) found.insert(one.name);
    return found;
  };
  for (const auto& tried : {names(20, AutoOptions().budget), names(200, 10000)})
    for (const char* method : {"embd_ht", "embd_hm", "app", "sdp", "em", "knn", "wknn"})
      EXPECT_TRUE(tried.contains(method)) << method;
  EXPECT_FALSE(names(1000, AutoOptions().budget).contains("sdp"));
}

}  // namespace
}  // namespace mkc
