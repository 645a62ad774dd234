#pragma once

#include "methods/latent/latent.hpp"
#include "problem/view_patterns.hpp"

namespace mkc::latent {

/// What the model knows of one view.
struct ViewFeatures {
  bool log = false;  // features of -log k, else of the kernel
  Matrix gram;       // (n, n) centred Gram matrix of the features on the view's rows
  Matrix all;        // (n, r) every feature, of variance falling; only where `log`
  Matrix sources;    // (n, at most rank) the first ones, of mean squared length 1 in total
};

/// F = V sqrt(Lambda) of the chosen domain. A rank never cuts through equal eigenvalues, whose
/// vectors are arbitrary.
ViewFeatures view_features(const MatrixRef& K, bool prefer_log, Index rank);

}  // namespace mkc::latent
