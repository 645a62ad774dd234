#pragma once

#include <array>
#include <map>
#include <set>

#include "mkc/base/types.hpp"
#include "select/folds.hpp"

namespace mkc {

/// What is known of one completed row before its error is: its place and its estimated uncertainty.
struct RowSignals {
  Index view = 0;
  Index sample = 0;
  Index observed_views = 0;
  double spread = 0;    // disagreement of the stacked candidates over |k^_t|^2; 0 = none known
  double variance = 0;  // the candidates' own conditional variance over |k^_t|^2; 0 = none known
  double size = 0;      // |k^_t|^2 over that of the usual observed row of the view; 0 = not known
  double distance =
      0;            // squared, from the nearest neighbours in its views, usual = 1; 0 = not known
  double odds = 1;  // of such a row being missing, relative to being observed
};

/// sigma of a row: what error to expect of it, up to a factor of its view.
///
///   log sigma = sum_j b_j (x_j - mean of x_j),   x = log(spread, variance, size, observed views,
///   distance)
///
/// with b from a ridge regression of the log error on x, both centred within views; b >= 0 for
/// spread and variance. An unknown signal counts as the mean of the others, one beyond those of all
/// rows it was fitted on as the nearest of them.
class ErrorScale {
 public:
  /// Fitted on the rows for which use[t].
  ErrorScale(const std::vector<RowSignals>& rows, const Vector& errors, Index n_views,
             const std::vector<bool>& use);

  double log_of(const RowSignals& row) const;

 private:
  struct Signal {  // logs of one signal in these rows
    double least = 0, most = 0, sum = 0, known = 0;
    double power = 0;  // b
    void include(double value);
    double mean() const { return known == 0 ? 0 : sum / known; }
    double log_of(double value) const;  // minus the mean
  };
  static constexpr std::size_t n_signals = 5;
  std::array<Signal, n_signals> signals_;
};

/// Estimated relative error of a row, and the interval that holds it with the nominal probability.
struct ErrorEstimate {
  double error = 0;
  double low = 0;
  double high = 0;
};

/// Intervals for the relative error of completed rows, calibrated on rows whose error is known
/// (they were hidden).
///
/// Every row gets a scale sigma (ErrorScale). Those of calibration rows are fitted without their
/// fold, that of a new row is the geometric mean over the folds. Where one half of the rows chooses
/// and the other one judges (folds.hpp), this is split-conformal calibration: the scale comes from
/// one half, the quantiles from the other. The scores error / sigma of a new row and of the
/// calibration rows of its stratum are exchangeable, so their quantiles times the new row's sigma
/// hold its error.
///
/// Weighted conformal (Tibshirani et al. 2019): a calibration row counts with the odds of a row
/// like it being missing, and so does the new row, at infinity. A stratum is (view, number of
/// observed views); with fewer than 20 samples it is the view, with fewer than 20 there it is all
/// rows, each divided by the level of its view where views differ more than twice as much as the
/// rows within a view. A sample hidden in several copies counts once: its errors there are not
/// independent. The ranks of the quantiles are moved outwards by `margin` of their standard errors,
/// because a stratum of few rows determines its tails poorly. The estimate is the mean score,
/// scores beyond the ends counted as the ends. A low end below 0.1 % is 0: such errors are those of
/// rounding and regularisation.
class ConformalErrors {
 public:
  static constexpr Index fewest_samples = 20;  // of a stratum: what a quantile at 5 % needs

  /// `folds` of `rows`; none: the scale is fitted on all rows.
  ConformalErrors(const std::vector<RowSignals>& rows, const Vector& errors, Index n_views,
                  double coverage = 0.9, double margin = 0, const Folds& folds = {});

  ErrorEstimate estimate(const RowSignals& row) const;
  double coverage() const { return coverage_; }

 private:
  struct Stratum {
    std::vector<std::pair<double, double>> scores;  // with the odds; sorted
    std::set<Index> samples;
    double odds = 0, squares = 0;  // sums over the scores
    void add(double score, const RowSignals& row);
    bool enough() const;
    /// Where the sum of odds up to a score reaches `mass`: the last score that does not go beyond
    /// it, and the first that reaches it; the first and the last score at the ends.
    double last_within(double mass) const;
    double first_reaching(double mass) const;
  };
  void add_scores(const std::vector<RowSignals>& rows, const Vector& scores, Index n_views);
  double scale(const RowSignals& row) const;
  const Stratum& stratum(const RowSignals& row) const;

  double coverage_, margin_;
  std::vector<ErrorScale> scales_;  // per judged fold
  Vector levels_;                   // per view, in `all_`: what its scores are divided by
  Stratum all_;
  std::vector<Stratum> by_view_;
  std::map<std::pair<Index, Index>, Stratum> by_count_;  // per view and number of observed views
};

}  // namespace mkc
