#pragma once

#include <limits>
#include <optional>

#include "mkc/problem/label_types.hpp"
#include "mkc/problem/problem.hpp"
#include "mkc/problem/result.hpp"
#include "mkc/problem/run.hpp"

namespace mkc {

/// One assay: a sample measured in a view.
struct Assay {
  Index sample = 0;
  Index view = 0;

  bool operator==(const Assay&) const = default;
};

/// Costs are between these, so that their sums and gains per cost are numbers too.
constexpr double least_cost = 1e-12, most_cost = 1e12;

struct AdviceOptions {
  Vector costs;  // (M) of one assay in each view, above 0; empty: 1 each
  double budget = std::numeric_limits<double>::infinity();  // money to spend
  std::vector<Assay> candidates;                            // empty: every missing pair
  bool batch = false;            // rank jointly: a pair falls once others make it superfluous
  std::optional<Target> target;  // rank by what a model of these labels gains instead
  std::uint64_t seed = 0;        // decides which rows are hidden for calibration
  int threads = 1;               // the result does not depend on it
  ProgressCallback progress;     // may be empty; false stops the work with an InterruptedError
};

/// A missing pair and what measuring it is expected to remove from the remaining error.
struct RankedAssay {
  Assay assay;
  double cost = 1;
  double gain = 0;         // own + same_sample + others
  double own = 0;          // error of the completed row itself
  double same_sample = 0;  // of the sample's rows in other views, which have one more source
  double others = 0;       // of other samples' rows, whose regressions have one more sample
  double gain_per_cost = 0;
  bool within_budget = false;
};

/// Expected remaining error once some of the ranked pairs are measured, in their order.
struct CurvePoint {
  Index assays = 0;
  double money = 0;
  double error = 0;
};

/// What the loss of an observed pair would add to the error: little = it told little.
struct ObservedAssay {
  Assay assay;
  double value = 0;  // own + same_sample + others, as above
  double value_per_cost = 0;
};

/// How the expected effects were set on observed rows that were hidden (docs/reference/advise.md).
struct AdviceCalibration {
  Index rows = 0;            // hidden rows used; 0: the values below are the defaults
  double pattern_power = 0;  // error ~ V^power, V the open share of a view for a sample's views
  double sample_rate = 0;    // error ~ n^-rate, n the samples that are observed in the view
};

struct AssayAdvice {
  bool of_labels = false;  // errors are those of a model of the labels, not relative row errors
  double error = 0;        // expected now: the sum over all completed rows
  Index missing = 0;       // completed rows
  std::vector<RankedAssay> ranking;     // best first; all candidates
  std::vector<CurvePoint> curve;        // from nothing measured to all candidates measured
  std::optional<CurvePoint> enough;     // more assays pay clearly less; nothing: no such point
  double spent = 0;                     // money of the assays within the budget
  double error_after = 0;               // expected after these
  std::vector<ObservedAssay> observed;  // those that told least first
  Vector sample_gains;                  // (N) largest gain among a sample's candidates; 0 = none
  AdviceCalibration calibration;
  Strings notices;
};

/// The observed blocks of completed kernels (N, N): the problem that they were completed from, for
/// results that were stored.
Problem observed_part(const Strings& samples, const Strings& views,
                      const std::vector<Matrix>& kernels, const Mask& observed);

/// Ranks missing pairs by the expected reduction of the error of all completed rows per unit of
/// cost (docs/reference/advise.md). `completion` must carry error estimates
/// (complete_with_quality).
///
/// InputError where nothing is missing, a cost is not between least_cost and most_cost, the budget
/// is negative or not a number, a candidate is observed or given twice, the budget is below the
/// cheapest candidate, or there are no estimates.
AssayAdvice advise(const Problem& problem, const Completion& completion,
                   const AdviceOptions& options);

/// A completion in factor form, as far as advice needs it.
struct CompletedFactors {
  Strings samples, views;
  std::vector<Matrix> features;  // per view (N, r); rows of missing samples are not read
  Mask observed;                 // (N, M)
  Quality quality;               // error (N, M) and held_out_errors (M)
};

/// The same in time and memory linear in N: kernels are made of at most some hundred samples, for
/// calibration.
AssayAdvice advise(const CompletedFactors& completed, const AdviceOptions& options);

}  // namespace mkc
