#include "evaluate/trial_run.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/stopwatch.hpp"
#include "mkc/base/error.hpp"
#include "mkc/base/options.hpp"
#include "mkc/complete.hpp"

namespace mkc {

namespace {

// `mean`, `knn`, and what the plan asks for, each once.
Strings methods_of(const EvaluatePlan& plan) {
  Strings methods = {"mean", "knn"};
  for (const auto& spec : plan.methods)
    if (std::find(methods.begin(), methods.end(), spec) == methods.end()) methods.push_back(spec);
  return methods;
}

}  // namespace

std::uint64_t trial_seed(const EvaluatePlan& plan, Index repeat, const char* purpose) {
  return Random(plan.seed, purpose, std::to_string(repeat)).next();
}

Mechanism mechanism_of(const std::string& option, const std::string& text) {
  return static_cast<Mechanism>(detail::to_choice(option, text, mechanism_names));
}

std::vector<TrialPlan> plan_trials(const EvaluatePlan& plan, const Problem& problem,
                                   const Target* labels) {
  if (plan.mechanism == Mechanism::pattern && problem.nothing_missing())
    throw InputError("nothing is missing, so there is no pattern in which to hide rows",
                     {{"mechanism", "mcar", "hides rows at random"}});
  if (problem.n_views() < 2)
    throw InputError("there is one view only: hidden rows cannot be completed",
                     "give two views or more");
  const Strings methods = methods_of(plan);
  const bool on_copies = problem.nothing_missing();
  std::vector<TrialPlan> trials;
  for (Index repeat = 1; repeat <= plan.repeats; ++repeat)
    for (const auto& spec : methods)
      trials.push_back({spec, repeat, labels != nullptr && on_copies});
  if (labels == nullptr) return trials;
  if (on_copies) {
    for (Index repeat = 1; repeat <= plan.repeats; ++repeat)
      trials.push_back({complete_cases, repeat, true});
  } else {
    for (const auto& spec : methods) trials.push_back({spec, 0, true});
    trials.push_back({complete_cases, 0, true});
  }
  return trials;
}

HeldOut hidden_copy(const Problem& problem, const EvaluatePlan& plan, Index repeat) {
  if (repeat == 0) return {problem, std::vector<Indices>(problem.views().size())};
  const std::uint64_t seed = trial_seed(plan, repeat, "hide");
  return plan.mechanism == Mechanism::pattern
             ? hide_rows(problem, plan.fraction, seed)
             : hide_at_random(problem, plan.fraction, plan.views_missing, seed);
}

Completion complete_trial(const Problem& visible, const TrialPlan& trial, const EvaluatePlan& plan,
                          const RunOptions& run) {
  RunOptions inner = run;
  inner.seed = plan.seed;
  inner.fitted = false;
  // intervals of the problem as it is cannot be checked: the truth of its missing rows is unknown
  return plan.quality && trial.repeat > 0 ? complete_with_quality(visible, trial.method, inner)
                                          : complete(visible, trial.method, inner);
}

void describe_run(const Info& info, TrialResult& result) {
  result.interrupted = info.status == Status::interrupted;
  result.spec = format_spec({info.method, info.parameters});
  result.status = status_name(info.status);
}

TrialResult run_scored_trial(const Problem& problem, const TrialPlan& trial,
                             const EvaluatePlan& plan, const RunOptions& run,
                             const std::function<double()>& peak_mib,
                             const ScoreLabels& score_labels) {
  TrialResult result;
  result.spec = trial.method;
  try {
    const HeldOut copy = hidden_copy(problem, plan, trial.repeat);
    const Stopwatch watch;
    const Completion completion = complete_trial(copy.problem, trial, plan, run);
    result.seconds = watch.seconds();
    result.peak_mib = peak_mib ? peak_mib() : std::numeric_limits<double>::quiet_NaN();
    describe_run(completion.info, result);
    if (result.interrupted) return result;
    if (trial.repeat > 0) result.views = score_hidden_rows(problem, copy, completion);
    if (score_labels) score_labels(copy.problem, completion, result);
  } catch (const InputError& error) {
    result.fail(error.what());
  }
  return result;
}

}  // namespace mkc
