#pragma once

#include <functional>

#include "mkc/evaluate/label_scores.hpp"
#include "mkc/evaluate/scores.hpp"
#include "mkc/problem/run.hpp"

namespace mkc {

enum class Mechanism { pattern, mcar };  // hide_rows, hide_at_random

/// What to try on rows that are known but hidden.
struct EvaluatePlan {
  Strings methods;  // specs, see complete()
  Mechanism mechanism = Mechanism::pattern;
  double fraction = 0.15;
  Index views_missing = 0;  // of mcar
  Index repeats = 3;        // copies with other rows hidden
  bool quality = false;     // intervals of every method; `auto` has them in any case
  std::uint64_t seed = 0;
};

/// The samples that lack no view, without any completion: with labels it stands beside the methods.
inline constexpr const char* complete_cases = "complete_cases";

/// One method on one copy of the problem: a piece of work that depends on no other.
struct CellPlan {
  std::string method;   // a spec, or complete_cases
  Index repeat = 1;     // 1 ... repeats; 0 = the problem as it is, nothing hidden
  bool labels = false;  // scored with labels
};

struct RepeatedLabelScores {
  Index repeat = 1;
  LabelScores scores;
};

struct CellResult {
  std::string spec;  // with the options as used
  std::string status;
  std::string failure;  // why there are no scores, or ""
  double seconds = 0;   // of the completion alone
  double peak_mib = 0;  // see run_cell
  std::vector<ViewScores> views;
  std::vector<RepeatedLabelScores> labels;
  bool interrupted = false;  // not finished
};

/// The cells of an evaluation: `mean` and `knn` first, if they are not in the list. With labels an
/// incomplete problem is completed as it is, once per method, and learnt on in `repeats` different
/// folds; of a complete one, the copies serve. InputError where there is nothing to hide.
std::vector<CellPlan> plan_cells(const EvaluatePlan& plan, const Problem& problem,
                                 const Labels* labels);

/// The copy of a repeat. The draw depends on seed, repeat and names alone.
HeldOut hidden_copy(const Problem& problem, const EvaluatePlan& plan, Index repeat);

/// The completion of one cell: it is given the copy, which does not hold what is hidden.
Completion complete_cell(const Problem& visible, const CellPlan& cell, const EvaluatePlan& plan,
                         const RunOptions& run);

/// Options as used, status, interrupted or not.
void describe_run(const Info& info, CellResult& result);

/// Completes and scores. A method that cannot run is a result with a `failure`. `peak_mib` is asked
/// right after the completion and may be empty. `run` gives threads, transforms and progress; the
/// seed is the plan's.
CellResult run_cell(const Problem& problem, const CellPlan& cell, const EvaluatePlan& plan,
                    const Labels* labels, const RunOptions& run,
                    const std::function<double()>& peak_mib = {});

}  // namespace mkc
