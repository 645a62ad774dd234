#pragma once

#include "methods/latent/latent_features.hpp"

namespace mkc::latent {

/// Completes the features of the given views, side by side an N x R matrix with missing blocks, by
/// the conditional means of one Gaussian fitted by EM. Per missing-view pattern with h missing and
/// o observed columns and Omega = Sigma^-1,
///
///   x_h <- mu_h - Omega_hh^-1 Omega_ho (x_o - mu_o),   Cov(x_h | x_o) = Omega_hh^-1;
///   mu <- mean, Sigma <- (sum of centred squares + sum of conditional covariances) / N + ridge,
///
/// the ridge relative to the mean variance of the view's features. Returns per view (N, r_m).
struct Completed {
  std::vector<Matrix> features;  // of each of `views`
  Index iterations = 0;          // maximisation steps
};
Completed complete_features(const Problem& problem, const std::vector<ViewFeatures>& features,
                            const Indices& views, const std::vector<ViewPattern>& patterns,
                            double ridge);

}  // namespace mkc::latent
