#pragma once

#include "select/hidden_rows.hpp"
#include "select/stacking.hpp"

/// Steps 1 and 2 of stacking: candidates tried on held-out copies.
namespace mkc {

struct CandidateRuns {
  std::vector<CandidateRecord> records;  // per candidate of the plan; weights still empty
  std::vector<std::size_t> finished;     // candidates that completed every copy
  std::vector<HiddenRow> rows;  // of all copies; candidates are the finished ones, in their order
  bool hidden = true;           // false: no row could be hidden, and nothing was tried
  bool interrupted = false;
};

/// Different samples among the judging rows.
Index judging_samples(const std::vector<HiddenRow>& rows);

/// Mean of errors(t) over the judging rows t of every view; NaN = no row.
Vector mean_by_view(const std::vector<HiddenRow>& rows, const Vector& errors, Index n_views);

/// A candidate that chooses the options of an earlier one is not tried any further.
CandidateRuns run_candidates(const Problem& problem, const StackPlan& plan, const RunOptions& run);

}  // namespace mkc
