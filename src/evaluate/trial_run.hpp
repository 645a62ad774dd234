#pragma once

#include "mkc/evaluate/trial.hpp"

/// Trials without labels. A program that has no use for labels links these without LIBSVM.
namespace mkc {

/// The seed of a repeat for one purpose, independent of those that methods derive from the plan's.
std::uint64_t trial_seed(const EvaluatePlan& plan, Index repeat, const char* purpose);

/// Adds scores with labels to the result of a completion of `visible`.
using ScoreLabels =
    std::function<void(const Problem& visible, const Completion& completion, TrialResult& result)>;

/// run_trial() of a method; `peak_mib` and `score_labels` may be empty.
TrialResult run_scored_trial(const Problem& problem, const TrialPlan& trial,
                             const EvaluatePlan& plan, const RunOptions& run,
                             const std::function<double()>& peak_mib = {},
                             const ScoreLabels& score_labels = {});

}  // namespace mkc
