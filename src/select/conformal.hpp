#pragma once

#include <map>
#include <set>

#include "mkc/base/types.hpp"

namespace mkc {

/// What is known of one completed row before its error is: its place and its estimated uncertainty.
struct RowSignals {
  Index view = 0;
  Index sample = 0;
  Index observed_views = 0;
  double spread = 0;    // disagreement of the stacked candidates over |k^_t|^2; 0 = none known
  double variance = 0;  // the candidates' own conditional variance over |k^_t|^2; 0 = none known
};

/// Estimated relative error of a row, and the interval that holds it with the nominal probability.
struct ErrorEstimate {
  double error = 0;
  double low = 0;
  double high = 0;
};

/// Split-conformal intervals for the relative error of completed rows, from rows whose error is
/// known (they were hidden).
///
/// Every row gets a scale sigma = exp(b' log signals), b >= 0 by least squares of the log error on
/// the logs of spread and variance, centred within views. An unknown signal counts as the mean of
/// the others, one beyond those of all calibration rows as the nearest of them. The scores error /
/// sigma of a new row and of the calibration rows of its stratum are exchangeable, so their
/// quantiles times the new row's sigma hold its error. A stratum is (view, number of observed
/// views); with fewer than 20 samples it is the view, with fewer than 20 there it is all rows, each
/// divided by the level of its view where views differ more than twice as much as the rows within a
/// view. A sample hidden in several copies counts once: its errors there are not independent. The
/// ranks of the quantiles are moved outwards by `margin` of their standard errors, because a
/// stratum of few rows determines its tails poorly. The estimate is the mean score, scores beyond
/// the ends counted as the ends.
class ConformalErrors {
 public:
  static constexpr Index fewest_samples = 20;  // of a stratum: what a quantile at 5 % needs

  ConformalErrors(const std::vector<RowSignals>& rows, const Vector& errors, Index n_views,
                  double coverage = 0.9, double margin = 0);

  ErrorEstimate estimate(const RowSignals& row) const;
  double coverage() const { return coverage_; }

 private:
  struct Stratum {
    std::vector<double> scores;  // sorted
    std::set<Index> samples;
    void add(double score, Index sample);
    bool enough() const;
  };
  struct Signal {  // logs of one signal in the calibration rows
    double least = 0, most = 0, sum = 0, known = 0;
    double power = 0;  // b
    void include(double value);
    double log_of(double value) const;
  };
  void fit_powers(const std::vector<RowSignals>& rows, const Vector& errors, Index n_views);
  void add_scores(const std::vector<RowSignals>& rows, const Vector& errors, Index n_views);
  double scale(const RowSignals& row) const;
  const Stratum& stratum(const RowSignals& row) const;

  double coverage_, margin_;
  Signal spread_, variance_;
  Vector levels_;  // per view, in `all_`: what its scores are divided by
  Stratum all_;
  std::vector<Stratum> by_view_;
  std::map<std::pair<Index, Index>, Stratum> by_count_;  // per view and number of observed views
};

}  // namespace mkc
