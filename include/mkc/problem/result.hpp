#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "mkc/base/options.hpp"
#include "mkc/base/types.hpp"
#include "mkc/problem/verdict.hpp"

namespace mkc {

/// Why a method stopped. Not converging is a status, never an exception.
enum class Status {
  converged,       // the stated tolerance was reached, or the method has a closed form
  max_iterations,  // the iteration limit came first; the best point found is returned
  interrupted,     // the caller asked to stop; the best point so far is returned
};
const char* status_name(Status status);

/// What a method reports about its run.
struct Info {
  std::string method;
  OptionValues parameters;  // every option with the value used; `auto` has become what was chosen
  Status status = Status::converged;
  Index iterations = 0;
  std::vector<double> objective;  // history, one value per iteration; empty for closed forms
  double residual = 0;            // relative distance to stationarity; 0 for closed forms
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, double>> terms;    // objective terms at the returned point
  std::vector<std::pair<std::string, double>> seconds;  // wall-clock per phase
  Strings notices;                                      // what the user should know
  Strings warnings;                                     // what limits the trust in the result
};

/// One method that `auto` tried, and its share in the result.
struct CandidateRecord {
  std::string spec;        // as given to complete(), options as chosen
  Vector held_out_errors;  // (M) mean relative error of the view's hidden rows; NaN = none hidden
  Vector weights;          // (M) share in the completed kernel of each view
  double seconds = 0;      // all its runs together
  std::string skipped;     // why it did not run, or ""
};

/// Estimated errors of completed rows, from observed rows that were hidden and completed. Relative
/// errors ||k^_t - k_t|| / ||k_t||; (N, M), NaN where observed.
struct Quality {
  Matrix error;              // estimate
  Matrix low, high;          // interval
  double coverage = 0.9;     // nominal probability of the interval
  Index hidden_rows = 0;     // rows used for the estimate
  Index hidden_samples = 0;  // different samples among them: one may be hidden in several copies
  // Per view (M), from its hidden rows; NaN = none hidden. A prediction has only the first.
  Vector held_out_errors;        // mean error, completed as the result is
  Vector mean_of_others_errors;  // the same of the method `mean`, the mean of the other views
  Vector average_row_errors;     // the same of the average row, one for all samples of the view
  Vector recovered;              // share of what distinguishes rows: R^2 of centred rows
  Vector recovered_deviations;   // its standard error over samples
  Indices hidden_samples_of_view;
  std::vector<Verdict> verdicts;
  /// Where the quantiles of the intervals come from rows that had no part in any choice; else they
  /// are calibrated on held-out rows, most of which had a part in some choice.
  bool split_conformal = false;
  const char* calibration() const { return split_conformal ? "split-conformal" : "held-out rows"; }
  /// Of the intervals, where rows outside of them are twice as likely to be missing as those
  /// inside, for reasons that nothing observed shows: c / (c + 2 (1 - c)). No dependence of this
  /// strength leaves less.
  double coverage_if_odds_double() const { return coverage / (2 - coverage); }
  /// Per view (M), NaN = not tested: AUC at which other views tell the samples that lack it from
  /// those that have it, and the probability of such an AUC by chance. Empty of a prediction.
  Vector missing_auc, missing_p_values;
  std::vector<bool> missing_predictable;
  Vector errors_if_odds_double;  // mean error if the odds of being missing depend on it by a factor
                                 // of 2
};

/// A completed problem. Kernels and views are in the order of the problem.
struct Completion {
  std::vector<Matrix> kernels;        // per view (N, N), symmetric, PSD, observed entries unchanged
  std::optional<Matrix> relations;    // S (M, M): row m holds the weights of the other views
  std::optional<Matrix> uncertainty;  // (N, M): larger = less sure; 0 where observed
  std::optional<Quality> quality;
  std::vector<CandidateRecord> candidates;  // of `auto`, in the order of its list
  Info info;
};

}  // namespace mkc
