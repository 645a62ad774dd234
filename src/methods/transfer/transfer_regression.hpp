#pragma once

#include <functional>

#include "mkc/base/types.hpp"

namespace mkc {

/// One view's regression on G, all in one matrix of all samples. Samples are in an order of its
/// own: n observed ones, of which the last are left out in turn to measure errors, then the missing
/// ones.
class TransferRegression {
 public:
  /// Sizes of a fit.
  struct Sizes {
    Index samples = 0, observed = 0;
    Index left_out = 0;  // of the observed samples; 0: errors are not measured
  };

  /// Writes the lower triangle of a matrix of the given size; may be called again.
  using Fill = std::function<void(MutableMatrixRef)>;

  /// Q = (G_II + ridge I)^-1, W = Q G_IT and R = G_TT - G_TI W; the ridge is raised tenfold, from
  /// 1e-12 of the mean diagonal, until Q exists. `fill_K` writes all of the view's K_II.
  void fit(const Sizes& sizes, double ridge, const Fill& fill_G, const Fill& fill_K, int threads);

  /// Mean over the left-out samples of their squared residual in feature space, (QKQ)_tt / Q_tt^2.
  double residual() const { return residual_; }
  /// The same over their mean predictive variance under G, 1 / Q_tt - ridge; 0 where G explains
  /// all.
  double residual_scale() const { return residual_scale_; }

  /// After complete(): K^_IT = K_II W (n, t), and the lower triangle of K^_TT = W'K_II W + s R
  /// (t, t), which replaces R.
  void complete(double s, int threads);

  auto W_transposed() { return A_.bottomLeftCorner(missing(), sizes_.observed); }  // (t, n)
  auto R() { return A_.bottomRightCorner(missing(), missing()); }  // (t, t) lower triangle
  auto K_IT() { return A_.topRightCorner(sizes_.observed, missing()); }
  auto K_TT() { return R(); }
  double g(Index t) const { return own_(t); }  // G(t, t) of a missing sample

 private:
  Index missing() const { return sizes_.samples - sizes_.observed; }
  void factor(double ridge, const Fill& fill_G, int threads);
  void measure(double ridge, int threads);
  Eigen::Map<Matrix> K_II() { return {K_.data(), sizes_.observed, sizes_.observed}; }

  Sizes sizes_;
  Matrix A_;           // [L K^_IT; W' K^_TT] in the end
  Vector K_, Q_;       // memory of K_II (n, n) and of the rows of Q that are left out
  Vector own_;         // (t) diagonal of G_TT
  double mean_g_ = 0;  // mean diagonal of G_II
  double residual_ = 0, residual_scale_ = 0;
};

}  // namespace mkc
