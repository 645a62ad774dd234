#pragma once

#include "factor/gaussian_moments.hpp"

namespace mkc::factor {

/// The leading features of all views, centred, each view at mean squared length 1, as one Gaussian
/// with missing blocks: step 2 of `latent`, from moments alone.
struct Gaussian {
  Indices widths;             // (M) leading features of each view that take part
  std::vector<Vector> means;  // per view (r_m), of all features
  Vector scales;              // (M) root mean squared length of the centred leading features
  Vector rest;                // (M) mean squared length of the other features, centred
  Vector mean;                // (R) of the Gaussian
  Matrix sigma;               // (R, R)
  Index iterations = 0;
};

/// EM on moments. With h the missing and o the observed columns of a pattern and Omega = Sigma^-1,
///
///   x_h = a + B x_o,   B = -Omega_hh^-1 Omega_ho,   a = mu_h - B mu_o,
///
/// so that sum x_h and sum x_h x' follow from n, sum x_o and sum x_o x_o'; then
/// mu <- mean, Sigma <- (sum of centred squares + n Omega_hh^-1) / N + ridge / width, as in dense
/// form. It ends where the completed features change by less than a thousandth, relative.
Gaussian fit_gaussian(const GaussianMoments& moments, const Indices& widths, double ridge);

/// Completes rows with the Gaussian; one pattern after another is solved once.
class GaussianCompletion {
 public:
  GaussianCompletion() = default;
  GaussianCompletion(Gaussian gaussian, const std::vector<Pattern>& patterns);

  const Gaussian& gaussian() const { return gaussian_; }

  /// Observed features as they are; missing ones: leading features as conditional means, others as
  /// the mean of the view. `variance` (n, M), where not null: the conditional variance, 0 where
  /// observed.
  Features complete(const Rows& rows, Matrix* variance = nullptr) const;

  /// The same with nothing told by the other views: missing features are the mean of the view.
  Features complete_with_means(const Rows& rows, Matrix& variance) const;

 private:
  struct Reading {
    Matrix B;         // (h, o)
    Vector a;         // (h), in scaled features
    Vector variance;  // (M) of the missing views
  };
  Reading reading_of(const Pattern& has) const;

  Gaussian gaussian_;
  std::map<Pattern, Reading> readings_;
};

}  // namespace mkc::factor
