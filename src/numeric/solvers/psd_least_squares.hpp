#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "numeric/solvers/psd_projector.hpp"
#include "numeric/solvers/status.hpp"
#include "mkc/base/types.hpp"

namespace mkc::solvers {

struct PsdLeastSquaresOptions {
  int max_iterations = 1000;
  /// Stop once `residual` is at or below this.
  double tolerance = 1e-8;
  /// Called after every iteration with its number and residual; returning true stops.
  std::function<bool(int iteration, double residual)> should_stop = {};
};

struct PsdLeastSquaresResult {
  Status status = Status::max_iterations;
  int iterations = 0;    // one eigendecomposition each
  double objective = 0;  // ||W o (X - Z)||_F^2
  /// 2 k ||Y - X||_F / ||Z||_F, k the condition number and Y the point the last step started from,
  /// all in the scaled variables d_i d_j x_ij of the solver: strong convexity makes it an upper
  /// bound of the distance between X and the minimiser, relative to ||Z||_F.
  double residual = 0;
  double condition = 1;  // k, after scaling
};

/// Squared weights `inside` where both indices are in `block` and `outside` elsewhere, both > 0.
struct BlockWeights {
  Indices block;  // distinct
  double inside = 1;
  double outside = 1;
};

/// Memory of one size, kept from one call to the next.
struct PsdLeastSquaresWorkspace {
  Matrix Y, X_next;          // (n, n)
  Matrix Z;                  // (n, n) scaled
  Matrix weights;            // (n, n) scaled squared weights; (n, 2) for block weights
  Vector scaling;            // (n) d
  std::vector<bool> inside;  // (n) for block weights
  std::optional<PsdProjector> projector;
};

/// Minimises ||W o (X - Z)||_F^2 over X positive semi-definite, Z (n, n) symmetric, by accelerated
/// projected gradient for strongly convex functions. X is the start where it is (n, n), else Z,
/// and becomes the answer. Equal weights need one projection.
///
/// X -> DXD with a positive diagonal D keeps the cone, so the variables are scaled first such that
/// the weights become as equal as they can: block weights of ratio r have condition number sqrt(r),
/// not r, and weights W_ij^2 = d_i^2 d_j^2 need one projection.
PsdLeastSquaresResult psd_least_squares(const MatrixRef& Z, const BlockWeights& weights, Matrix& X,
                                        const PsdLeastSquaresOptions& options,
                                        PsdLeastSquaresWorkspace& work);

/// The same for any symmetric W (n, n) > 0.
PsdLeastSquaresResult psd_least_squares(const MatrixRef& Z, const MatrixRef& W, Matrix& X,
                                        const PsdLeastSquaresOptions& options,
                                        PsdLeastSquaresWorkspace& work);

}  // namespace mkc::solvers
