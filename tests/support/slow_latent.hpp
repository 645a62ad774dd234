#pragma once

#include "methods/latent/latent_features.hpp"

namespace mkc::test {

/// Textbook EM for a Gaussian with missing entries, sample by sample: every conditional mean and
/// covariance from Sigma_oo^-1, every second moment summed entry by entry. The views' features side
/// by side after the given number of maximisation steps and one more expectation. (N, R)
Matrix slow_gaussian_em(const Problem& problem, const std::vector<latent::ViewFeatures>& features,
                        double ridge, Index maximisations);

/// Log likelihood of centred features with Gram matrix T under covariance C around an unknown mean,
/// up to constants: -(log det C + tr(C^-1 T)) / 2 + log(noise) / 2, where the constant vector is an
/// eigenvector of C with eigenvalue `noise`.
double slow_log_likelihood(const Matrix& C, const Matrix& T, double noise);

/// Squared length of the error with which row i of the features with Gram matrix T is predicted
/// from the other rows, by kernel ridge regression with an intercept, row i really left out.
double slow_left_out_error(const Matrix& G, const Matrix& T, double noise, Index i);

/// E exp(-|x - y|^2) for x ~ N(mean, variance) in one dimension, by the trapezoidal rule.
double slow_expected_gaussian(double y, double mean, double variance);

}  // namespace mkc::test
