#pragma once

#include <optional>
#include <vector>

#include "mkc/base/types.hpp"
#include "numeric/solvers/psd_projector.hpp"
#include "numeric/solvers/status.hpp"

namespace mkc::solvers {

struct PsdLeastSquaresOptions {
  int max_iterations = 1000;
  /// Stop once `residual` is at or below this.
  double tolerance = 1e-8;
};

struct PsdLeastSquaresResult {
  Status status = Status::max_iterations;
  int iterations = 0;  // one eigendecomposition each
  /// 2 k ||Y - X||_F / ||Z||_F, k the condition number and Y the point the last step started from,
  /// all in the scaled variables d_i d_j x_ij of the solver: strong convexity makes it an upper
  /// bound of the distance between X and the minimiser, relative to ||Z||_F.
  double residual = 0;
  double first_residual = 0;  // after the first iteration: of the start
  double condition = 1;       // k, after scaling
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
  Matrix weights;            // (n, 2) scaled squared weights: a column in the block, and one not
  Vector scaling;            // (n) d
  std::vector<bool> inside;  // (n) the samples in the block
  std::optional<PsdProjector> projector;
};

/// Minimises ||W o (X - Z)||_F^2 over X positive semi-definite, Z (n, n) symmetric and W^2 the
/// block weights, by accelerated
/// projected gradient for strongly convex functions. X is the start where it is (n, n), else Z,
/// and becomes the answer. Equal weights need one projection.
///
/// X -> DXD with a positive diagonal D keeps the cone, so the variables are scaled first such that
/// the weights become as equal as they can: block weights of ratio r have condition number sqrt(r),
/// not r.
PsdLeastSquaresResult psd_least_squares(const MatrixRef& Z, const BlockWeights& weights, Matrix& X,
                                        const PsdLeastSquaresOptions& options,
                                        PsdLeastSquaresWorkspace& work);

}  // namespace mkc::solvers
