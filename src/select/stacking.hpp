#pragma once

#include "mkc/problem/problem.hpp"
#include "mkc/problem/result.hpp"
#include "mkc/problem/run.hpp"

namespace mkc {

/// What to stack, and on how many hidden rows to judge it.
struct StackPlan {
  Strings candidates;              // method specs, see complete()
  std::vector<double> costs = {};  // nominal seconds of the candidates: the longest starts first
  std::vector<double> run_costs = {};  // of one run with options that are chosen
  Strings quick = {};  // specs without options to choose, with which to try them first; "": none
  std::vector<bool> optional = {};  // left out where the others are as good (screening.hpp)
  Index copies = 2;                 // held-out copies of the problem
  bool halves = false;  // one half of the hidden samples chooses, the other one judges (folds.hpp)
  double fraction = 0.15;   // share of each view's observed rows hidden in a copy
  double margin = 0;        // of the intervals, see ConformalErrors
  double rate = 0;          // errors fall as n^-rate with rows known; lowers the intervals' low end
  bool first_only = false;  // complete with the first candidate; the others are for comparison
};

/// Copies, fraction and margin of the intervals for a problem of this size: a choice made on very
/// few rows is random, so small problems get many copies.
StackPlan plan_for(Index n_samples, Strings candidates);

/// Completes the problem with a convex combination of candidates, chosen on hidden rows.
///
/// 1. Hides observed rows in the pattern in which real samples miss views, once per copy.
/// 2. Every candidate completes the first copy and chooses its own options there; with these
///    options it completes the other copies.
/// 3. Per view, convex weights of the smallest relative error on the hidden rows (weights.hpp).
/// 4. The candidates with weight complete the whole problem; their convex combination keeps the
///    observed entries and stays PSD. Intervals for the error of every completed row come from the
///    hidden ones (conformal.hpp).
///
/// A candidate that cannot run is recorded as skipped. Throws InputError where none can.
Completion complete_stacked(const Problem& problem, const StackPlan& plan, const RunOptions& run);

/// Working memory of complete_stacked() with these candidates.
double stacked_bytes(Index n_samples, Index n_views, int threads, const Strings& candidates);

/// Completes the problem with one method and estimates the errors of its completed rows from hidden
/// ones. Something must be missing.
Completion complete_judged(const Problem& problem, const std::string& method,
                           const RunOptions& run);

/// Its working memory.
double judged_bytes(Index n_samples, Index n_views, int threads, const std::string& method);

}  // namespace mkc
