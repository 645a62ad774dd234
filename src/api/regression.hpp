#pragma once

#include "methods/shared/source_kernel.hpp"
#include "mkc/predict.hpp"

namespace mkc {

/// Leave-one-out errors of the rows of K (n, n) regressed through G, in closed form with
/// Q = (G + ridge I)^-1: the prediction of row t without t is k_t - K Q_.t / Q_tt. A row's own
/// diagonal entry is left out of its error.
struct LeftOut {
  Vector errors;    // (n) relative; NaN where a row is zero
  Vector lengths;   // (n) of the predicted row
  Vector variance;  // (n) what G leaves unexplained of sample t: 1 / Q_tt - ridge
};
LeftOut leave_out_rows(const Matrix& K, const Matrix& Q, double ridge);

/// Mean diagonal of what was observed of a view.
double mean_diagonal(const TrainedView& view);

/// Whether the training sample was observed in the view.
bool has_sample(const TrainedView& view, Index sample);

/// How one view is predicted from some of the others: P = sum_l weights_l K^_l / scale_l on the
/// samples that have the view, and what was chosen on rows left out.
class ViewRegression {
 public:
  /// sources: the views predicted from, not empty.
  ViewRegression(const TrainedModel& model, Index view, const Indices& sources);

  /// New samples by their rows of the source views at all training samples, (count, N) each in
  /// the order of `sources`, and their k(x, x), (count, sources).
  struct Predicted {
    Matrix rows;      // (count, N) kernel values of the view
    Vector own;       // (count) k(x, x)
    Vector variance;  // (count) unexplained, as in LeftOut
    Vector lengths;   // (count) of the rows, over the samples that have the view
  };
  Predicted predict(const std::vector<Matrix>& rows, const Matrix& own) const;

  const LeftOut& left_out() const { return left_out_; }
  const Indices& measured() const { return measured_; }  // positions whose errors count

 private:
  const TrainedModel& model_;
  Index view_;
  Indices sources_;
  Vector weights_;  // of the sources, over the scale of each
  SourceKernel source_;
  double scale_;  // mean diagonal of the view
  double ridge_;
  Matrix K_, Q_;  // (n, n) observed block at unit mean diagonal; inverse
  double residual_scale_ = 0;
  Indices measured_;
  LeftOut left_out_;
};

}  // namespace mkc
