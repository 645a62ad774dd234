#pragma once

#include "factor/stages.hpp"
#include "mkc/factor/completed_block.hpp"
#include "mkc/problem/hiding.hpp"
#include "select/conformal.hpp"

namespace mkc::factor {

/// Samples whose kernels are known exactly, and which of their rows are hidden for measuring. They
/// are the first rows of the plan's sample.
struct Trial {
  Problem truth;
  std::vector<Mask> hidden;  // per copy (samples of the trial, M)
};

/// The mixture of the stages per view, and what the hidden rows say of it.
struct Judgement {
  Matrix weights;                   // (experts, M), columns convex
  std::vector<RowSignals> signals;  // of the hidden rows, for intervals
  Vector errors;
  FactorQuality quality;
  bool known = false;  // false: no row could be hidden
  Strings notices;
};

/// The answers that are compared, and what is known of them.
struct Contest {
  Strings names;  // of the experts
  Index first;    // the one that is taken where nothing can be compared
  std::vector<std::vector<StageAnswer>> answers;  // per copy: the rows of the trial by each expert
};

/// `open` (M): what the features leave out of k_ii, on average.
Judgement judge(const Trial& trial, const Contest& contest, const Vector& open, double coverage);

/// How far stages that are mixed disagree on a row, from sum_c w_c |k_c|^2 and |sum_c w_c k_c|^2.
double spread_of(double squares, double square);

/// Margin of the intervals: see plan_for() of select/stacking.hpp.
double interval_margin(Index n_samples);

}  // namespace mkc::factor
