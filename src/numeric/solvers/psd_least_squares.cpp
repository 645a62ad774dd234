#include "numeric/solvers/psd_least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mkc/base/error.hpp"

namespace mkc::solvers {

namespace {

using Workspace = PsdLeastSquaresWorkspace;

/// Smallest and largest of the scaled squared weights.
struct Extremes {
  double smallest = 1, largest = 1;
  double condition() const { return largest / smallest; }
};

// Column j of the scaled squared weights, of which there are two kinds: in the block and not.
auto column(const Workspace& w, Index j) { return w.weights.col(w.inside[at(j)] ? 0 : 1).array(); }

void check_target(const MatrixRef& Z) {
  if (Z.rows() != Z.cols())
    throw InputError("psd_least_squares: Z is " + std::to_string(Z.rows()) + " x " +
                     std::to_string(Z.cols()) + ", not square");
  if (!Z.allFinite()) throw InputError("psd_least_squares: Z is not finite");
}

void check_weight(bool valid) {
  if (!valid) throw InputError("psd_least_squares: a weight is not finite and above 0");
}

// Squared weights a on the block and b elsewhere, divided by d_i^2 d_j^2 with d^2 = sqrt(a / b) on
// the block and 1 elsewhere: b on the block, b / sqrt(a / b) beside it, b elsewhere.
Extremes scale_block_weights(Index n, const BlockWeights& weights, Workspace& w) {
  check_weight(weights.inside > 0 && std::isfinite(weights.inside));
  check_weight(weights.outside > 0 && std::isfinite(weights.outside));
  w.inside.assign(static_cast<std::size_t>(n), false);
  for (const Index i : weights.block) {
    if (i < 0 || i >= n) throw InputError("psd_least_squares: block index outside the matrix");
    w.inside[at(i)] = true;
  }
  const bool whole = std::find(w.inside.begin(), w.inside.end(), false) == w.inside.end();
  const double ratio = whole ? 1 : std::sqrt(weights.inside / weights.outside);
  const double base = whole ? weights.inside : weights.outside, beside = base / ratio;
  w.scaling.resize(n);
  w.weights.resize(n, 2);
  for (Index i = 0; i < n; ++i) {
    const bool in = w.inside[at(i)];
    w.scaling(i) = in ? std::sqrt(ratio) : 1;
    w.weights(i, 0) = in ? base : beside;
    w.weights(i, 1) = in ? beside : base;
  }
  if (weights.block.empty()) return {base, base};
  return {std::min(base, beside), std::max(base, beside)};
}

// A <- D A D or D^-1 A D^-1; d_i d_j is formed first, so that a symmetric A stays so.
void scale(Matrix& A, const Vector& d) {
  for (Index j = 0; j < A.cols(); ++j) A.col(j).array() *= (d * d(j)).array();
}

void unscale(Matrix& A, const Vector& d) {
  for (Index j = 0; j < A.cols(); ++j) A.col(j).array() /= (d * d(j)).array();
}

// The iteration, in scaled variables.
PsdLeastSquaresResult minimise(Matrix& X, const Extremes& extremes,
                               const PsdLeastSquaresOptions& options, Workspace& w) {
  const double k = extremes.condition(), size = w.Z.norm();
  const double momentum = (std::sqrt(k) - 1) / (std::sqrt(k) + 1);
  const Index n = X.cols();

  // X+ <- Y - W^2 o (Y - Z) / L
  const auto gradient_step = [&] {
    for (Index j = 0; j < n; ++j)
      w.X_next.col(j).array() =
          w.Y.col(j).array() - column(w, j) / extremes.largest * (w.Y.col(j) - w.Z.col(j)).array();
  };
  const auto extrapolate = [&] { w.Y.noalias() = w.X_next + momentum * (w.X_next - X); };

  PsdLeastSquaresResult result;
  result.condition = k;
  w.Y = X;
  while (result.iterations < options.max_iterations) {
    gradient_step();
    w.projector->project(w.X_next);
    ++result.iterations;
    // with k = 1 the step lands on the minimiser itself, wherever it started
    result.residual = k > 1 && size > 0 ? 2 * k * (w.Y - w.X_next).norm() / size : 0;
    if (result.iterations == 1) result.first_residual = result.residual;
    extrapolate();
    std::swap(X, w.X_next);
    if (result.residual <= options.tolerance) {
      result.status = Status::converged;
      break;
    }
  }
  return result;
}

}  // namespace

PsdLeastSquaresResult psd_least_squares(const MatrixRef& Z, const BlockWeights& weights, Matrix& X,
                                        const PsdLeastSquaresOptions& options, Workspace& w) {
  check_target(Z);
  const Index n = Z.rows();
  const Extremes extremes = scale_block_weights(n, weights, w);
  if (!w.projector || w.projector->size() != n) w.projector.emplace(n);
  w.X_next.resize(n, n);
  w.Z = Z;
  scale(w.Z, w.scaling);
  if (X.rows() == n && X.cols() == n) {
    if (!X.allFinite()) throw InputError("psd_least_squares: the start X is not finite");
    scale(X, w.scaling);
  } else {
    X = w.Z;  // the first step projects it
  }
  const PsdLeastSquaresResult result = minimise(X, extremes, options, w);
  unscale(X, w.scaling);
  return result;
}

}  // namespace mkc::solvers
