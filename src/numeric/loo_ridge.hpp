#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// Kernel ridge regression of y_i on a kernel, each sample predicted from all others:
/// f(i) = c + sum_j a_j k_ij minimises sum_j |y_j - f(j)|^2 + lambda |f - c|^2 over the samples
/// j != i. One decomposition serves all ridges and targets.
class LooRidge {
 public:
  explicit LooRidge(const MatrixRef& K);  // (n, n) symmetric, n >= 2

  /// Squared errors |y_i - f(i)|^2 (n) of Y (n, p) with lambda = ridge * mean diagonal of the
  /// centred kernel. Where the kernel is constant, each prediction is the mean of the others.
  Vector errors(const MatrixRef& Y, double ridge) const;

  /// Squared errors with the ridge of 10^-3, 10^-2, ..., 10 whose sum of errors is smallest.
  Vector errors(const MatrixRef& Y) const;

 private:
  Vector errors(const MatrixRef& Y, const MatrixRef& rotated, double ridge) const;

  Vector values_;     // (n) eigenvalues of the centred kernel, not below 0
  Matrix vectors_;    // (n, n) their vectors
  Matrix squared_;    // (n, n) squared entries of the vectors
  double scale_ = 0;  // mean of the eigenvalues; 0: the kernel is constant
};

/// Squared distance of each y_i to the mean of the others: what LooRidge has to beat.
Vector loo_mean_errors(const MatrixRef& Y);  // (n, p) -> (n), n >= 2

/// The k largest principal components of the samples: Y (n, k) with YY' close to the centred
/// kernel.
Matrix leading_coordinates(const MatrixRef& K, Index k);  // K (n, n), k <= n

}  // namespace mkc
