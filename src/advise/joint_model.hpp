#pragma once

#include "factor/gaussian.hpp"
#include "mkc/problem/problem.hpp"

namespace mkc::advice {

/// The leading features of all views side by side, standardised, as one Gaussian: all that advice
/// knows of the samples. Made from dense kernels or from features in factor form.
struct JointModel {
  Mask has;         // (N, M)
  Matrix X;         // (N, R) completed by conditional means; each view at mean squared length 1
  Indices first;    // (M + 1) first column of each view in X
  Matrix sigma;     // (R, R)
  Vector kept;      // (M) share of the view's variance that is in its leading features
  Strings samples;  // (N), for ties and draws
  Strings views;    // (M)

  Index n_samples() const { return has.rows(); }
  Index n_views() const { return has.cols(); }
  Index width(Index m) const { return first[at(m) + 1] - first[at(m)]; }
};

/// Fits the Gaussian of `factor::fit_gaussian` to rows whose missing features are 0, and completes
/// them. `widths`: leading features of each view that take part.
JointModel joint_model(const factor::Rows& rows, const Indices& widths, Strings samples,
                       Strings views);

/// The same from the observed blocks: features are the leading kernel principal components.
JointModel joint_model(const Problem& problem, int threads);

/// The same from features in factor form (N, r) per view, turned to the principal axes of the
/// observed rows.
JointModel joint_model(const std::vector<Matrix>& features, const Mask& observed, Strings samples,
                       Strings views, int threads);

}  // namespace mkc::advice
