#pragma once

#include "mkc/assess/hidden_rows.hpp"
#include "mkc/stack/stacking.hpp"

/// Steps 1 and 2 of stacking: candidates tried on held-out copies.
namespace mkc {

struct Trials {
  std::vector<CandidateRecord> records;  // per candidate of the plan; weights still empty
  std::vector<std::size_t> finished;     // candidates that completed every copy
  std::vector<HiddenRow> rows;  // of all copies; candidates are the finished ones, in their order
  bool interrupted = false;
};

Trials try_candidates(const Problem& problem, const StackPlan& plan, const RunOptions& run);

}  // namespace mkc
