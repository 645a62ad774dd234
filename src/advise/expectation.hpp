#pragma once

#include <optional>

#include "advise/label_model.hpp"
#include "advise/regressions.hpp"
#include "mkc/advise/advise.hpp"

namespace mkc::advice {

/// The parts of a gain.
struct Parts {
  double own = 0, same_sample = 0, others = 0;
  double sum() const { return own + same_sample + others; }
};

/// The expected error of every missing row, and how it changes as pairs are measured.
///
/// Row t of view m, sample t with the observed views o, has the expected error
///
///   e_tm = e0_tm (V(m | o) / V(m | o0))^b (n0_m / n_m)^a ((1 + h_tm) / (1 + h0_tm))^(1/2)
///
/// with e0 the estimate that comes with the completion, o0, n0 and h0 the sample's views, the
/// samples that have view m and the leverage then, b and a the calibrated powers. The leverages
/// tell which samples are unlike those that have the view, the rate a what every sample adds. With
/// labels the error of sample t is instead
///
///   f_t = c_t F(o),   F(o) = sum over outputs of w' Cov(x | x_o) w,
///
/// c_t the closeness of its two best classes; the share c_t (F(o) - F(o + m)) that depends on view
/// m is a squared error, and changes with the squares of the last two factors.
class Expectation {
 public:
  /// error (N, M): e0, read where a view is missing.
  Expectation(const JointModel& model, const Matrix& error, const std::optional<LabelModel>& labels,
              const AdviceCalibration& calibration, int threads);

  /// What measuring a missing pair is expected to remove.
  Parts gain(const Assay& assay);

  /// What the loss of an observed pair would add; `typical` (M): error of a usual row of the view
  /// with the views that samples which have it have besides.
  Parts loss(const Assay& assay, const Vector& typical);

  /// The pair is measured. Rows of the same sample change at once, those of others with refresh().
  void measure(const Assay& assay);
  void refresh();

  double total();  // the sum of all expected errors; leverages as of the last refresh()
  bool is_missing(const Assay& a) const { return !has_(a.sample, a.view); }

 private:
  double error(Index i, Index m) const;  // e_tm
  double of_label(Index i, Index m);     // c_t (F(o) - F(o + m))
  double weight(Index i, Index m);       // the part of the error that other samples change
  double powered(Index pattern, Index m) const { return patterns_[pattern].powered(m); }
  double of_regressions(const Assay& assay, Index from, Index to) const;
  double others(const Assay& assay, Index from, Index to) const;

  const JointModel& model_;
  const std::optional<LabelModel>& labels_;
  AdviceCalibration calibration_;
  int threads_;
  Mask has_;
  Patterns patterns_;
  Indices pattern_of_;
  Regressions regressions_;
  Matrix base_;      // (N, M) e0 with the pattern's factor; of a label the factor alone
  Matrix leverage_;  // (N, M) h0
  Matrix growth_;    // (N, M) the last two factors as of the last refresh
  Vector count0_;    // (M) n0
  Vector count_;     // (M) n as of the last refresh
  Matrix weights_;   // (N, M) weight() as of the last refresh
  Vector whole_;     // (M) its sums over a view
  std::vector<Vector> surprises_;  // per view, for loss()
};

}  // namespace mkc::advice
