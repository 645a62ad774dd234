#include <limits>

#include "evaluate/trial_run.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

namespace {

// Labels are scored on the problem as it is (repeat 0), in the folds of every repeat, or on a copy,
// in its own folds.
template <class Score>
void add_label_scores(const TrialPlan& trial, const EvaluatePlan& plan, const Score& score,
                      TrialResult& result) {
  const Index first = trial.repeat == 0 ? 1 : trial.repeat;
  const Index last = trial.repeat == 0 ? plan.repeats : trial.repeat;
  for (Index repeat = first; repeat <= last; ++repeat)
    for (auto& scores : score(trial_seed(plan, repeat, "folds")))
      result.labels.push_back({repeat, std::move(scores)});
}

TrialResult run_complete_cases(const Problem& problem, const TrialPlan& trial,
                               const EvaluatePlan& plan, const Target& labels) {
  TrialResult result;
  result.spec = complete_cases;
  result.status = status_name(Status::converged);
  result.peak_mib = std::numeric_limits<double>::quiet_NaN();
  try {
    const HeldOut copy = hidden_copy(problem, plan, trial.repeat);
    add_label_scores(
        trial, plan,
        [&](std::uint64_t seed) {
          return complete_case_scores(copy.problem, labels, seed, plan.weights);
        },
        result);
  } catch (const InputError& error) {
    result.fail(error.what());
  }
  return result;
}

}  // namespace

TrialResult run_trial(const Problem& problem, const TrialPlan& trial, const EvaluatePlan& plan,
                      const Target* labels, const RunOptions& run,
                      const std::function<double()>& peak_mib) {
  if (trial.method == complete_cases) return run_complete_cases(problem, trial, plan, *labels);
  const ScoreLabels score = [&](const Problem& visible, const Completion& completion,
                                TrialResult& result) {
    add_label_scores(
        trial, plan,
        [&](std::uint64_t seed) {
          return label_scores(visible, completion.kernels, *labels, seed, plan.weights);
        },
        result);
  };
  return run_scored_trial(problem, trial, plan, run, peak_mib,
                          trial.labels ? score : ScoreLabels());
}

}  // namespace mkc
