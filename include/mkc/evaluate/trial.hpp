#pragma once

#include <functional>

#include "mkc/evaluate/label_scores.hpp"
#include "mkc/evaluate/scores.hpp"
#include "mkc/problem/run.hpp"

namespace mkc {

enum class Mechanism { pattern, mcar };  // hide_rows, hide_at_random

inline const Strings mechanism_names = {"pattern", "mcar"};

/// OptionError where there is no such mechanism; `option` is for the message.
Mechanism mechanism_of(const std::string& option, const std::string& text);

/// The methods to compare, and the observed rows to hide from them.
struct EvaluatePlan {
  Strings methods;  // specs, see complete()
  Mechanism mechanism = Mechanism::pattern;
  double fraction = 0.15;
  Index views_missing = 0;  // of mcar
  Index repeats = 3;        // copies, each with different rows hidden
  bool quality = false;     // intervals for every method; `auto` always has them
  std::uint64_t seed = 0;
  ViewWeighting weights = ViewWeighting::mean;  // of the views, where labels are predicted
};

/// The samples that lack no view, without any completion: shown with the methods if there are
/// labels.
inline constexpr const char* complete_cases = "complete_cases";

/// A trial is one method on one copy of the problem. It depends on no other trial.
struct TrialPlan {
  std::string method;   // a spec, or complete_cases
  Index repeat = 1;     // 1 ... repeats; 0 = the problem as it is, nothing hidden
  bool labels = false;  // scored with labels
};

struct RepeatedLabelScores {
  Index repeat = 1;
  LabelScores scores;
};

struct TrialResult {
  std::string spec;  // with the options as used
  std::string status;
  std::string failure;  // why there are no scores, or ""
  double seconds = 0;   // of the completion alone
  double peak_mib = 0;  // see run_trial
  std::vector<ViewScores> views;
  std::vector<RepeatedLabelScores> labels;
  bool interrupted = false;  // not finished

  void fail(const std::string& reason) {
    status = "failed";
    failure = reason;
  }
};

struct FinishedTrial {
  TrialPlan plan;
  TrialResult result;
};

/// The trials of an evaluation: `mean` and `knn` first, if they are not in the list. With labels an
/// incomplete problem is completed as it is, once per method, and classified with `repeats`
/// different folds; of a complete problem the copies are used. InputError where nothing can be
/// hidden.
std::vector<TrialPlan> plan_trials(const EvaluatePlan& plan, const Problem& problem,
                                   const Target* labels);

/// The copy of a repeat. The draw depends on seed, repeat and names only.
HeldOut hidden_copy(const Problem& problem, const EvaluatePlan& plan, Index repeat);

/// The completion of one trial. `visible` is the copy, without the hidden rows.
Completion complete_trial(const Problem& visible, const TrialPlan& trial, const EvaluatePlan& plan,
                          const RunOptions& run);

/// Sets options as used, status, and whether the run was interrupted.
void describe_run(const Info& info, TrialResult& result);

/// Completes and scores. If the method cannot run, the result has a `failure`. `peak_mib` is called
/// right after the completion and may be empty. `run` gives threads, transforms and progress; the
/// seed is the plan's.
TrialResult run_trial(const Problem& problem, const TrialPlan& trial, const EvaluatePlan& plan,
                      const Target* labels, const RunOptions& run,
                      const std::function<double()>& peak_mib = {});

}  // namespace mkc
