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

// Column j of the scaled squared weights.
struct EntryColumns {
  const Workspace& w;
  auto operator()(Index j) const { return w.weights.col(j).array(); }
};

// Columns of the block come in two kinds only: those in it and those not.
struct BlockColumns {
  const Workspace& w;
  auto operator()(Index j) const { return w.weights.col(w.inside[at(j)] ? 0 : 1).array(); }
};

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

// log W_ij^2 ~ log d_i^2 + log d_j^2 in least squares: log d_i^2 = row mean - half the grand mean.
// Kept only where it lowers the condition number.
Extremes scale_entry_weights(const MatrixRef& W, Workspace& w) {
  const Index n = W.rows();
  w.weights = W.cwiseAbs2();
  check_weight(W.allFinite() && (W.array() > 0).all() && w.weights.minCoeff() > 0);
  const Extremes plain{w.weights.minCoeff(), w.weights.maxCoeff()};
  w.scaling.setZero(n);  // log d_i^2
  for (Index j = 0; j < n; ++j) w.scaling.array() += w.weights.col(j).array().log();
  w.scaling /= static_cast<double>(n);
  w.scaling.array() -= 0.5 * w.scaling.mean();
  w.scaling = (0.5 * w.scaling.array()).exp().eval();  // d
  const auto multiply_by_squares = [&](double sign) {
    for (Index j = 0; j < n; ++j)
      w.weights.col(j).array() *= (w.scaling * w.scaling(j)).array().pow(2 * sign);
  };
  multiply_by_squares(-1);
  const Extremes scaled{w.weights.minCoeff(), w.weights.maxCoeff()};
  if (scaled.condition() <= plain.condition()) return scaled;
  w.weights = W.cwiseAbs2();
  w.scaling.setOnes();
  return plain;
}

// A <- D A D or D^-1 A D^-1; d_i d_j is formed first, so that a symmetric A stays so.
void scale(Matrix& A, const Vector& d) {
  for (Index j = 0; j < A.cols(); ++j) A.col(j).array() *= (d * d(j)).array();
}

void unscale(Matrix& A, const Vector& d) {
  for (Index j = 0; j < A.cols(); ++j) A.col(j).array() /= (d * d(j)).array();
}

/// The iteration, in scaled variables; column(j) gives the squared weights of column j.
template <class Columns>
PsdLeastSquaresResult minimise(Matrix& X, const Columns& column, const Extremes& extremes,
                               const PsdLeastSquaresOptions& options, Workspace& w) {
  const double k = extremes.condition(), size = w.Z.norm();
  const double momentum = (std::sqrt(k) - 1) / (std::sqrt(k) + 1);
  const Index n = X.cols();

  // X+ <- Y - W^2 o (Y - Z) / L
  const auto gradient_step = [&] {
    for (Index j = 0; j < n; ++j)
      w.X_next.col(j).array() =
          w.Y.col(j).array() - column(j) / extremes.largest * (w.Y.col(j) - w.Z.col(j)).array();
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
    extrapolate();
    std::swap(X, w.X_next);
    if (result.residual <= options.tolerance) {
      result.status = Status::converged;
      break;
    }
    if (options.should_stop && options.should_stop(result.iterations, result.residual)) {
      result.status = Status::stopped;
      break;
    }
  }
  for (Index j = 0; j < n; ++j)
    result.objective += (column(j) * (X.col(j) - w.Z.col(j)).array().square()).sum();
  return result;
}

template <class Columns>
PsdLeastSquaresResult solve(const MatrixRef& Z, Matrix& X, const Columns& column,
                            const Extremes& extremes, const PsdLeastSquaresOptions& options,
                            Workspace& w) {
  const Index n = Z.rows();
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
  const PsdLeastSquaresResult result = minimise(X, column, extremes, options, w);
  unscale(X, w.scaling);
  return result;
}

}  // namespace

PsdLeastSquaresResult psd_least_squares(const MatrixRef& Z, const BlockWeights& weights, Matrix& X,
                                        const PsdLeastSquaresOptions& options, Workspace& work) {
  check_target(Z);
  const Extremes extremes = scale_block_weights(Z.rows(), weights, work);
  return solve(Z, X, BlockColumns{work}, extremes, options, work);
}

PsdLeastSquaresResult psd_least_squares(const MatrixRef& Z, const MatrixRef& W, Matrix& X,
                                        const PsdLeastSquaresOptions& options, Workspace& work) {
  check_target(Z);
  if (W.rows() != Z.rows() || W.cols() != Z.cols())
    throw InputError("psd_least_squares: W is " + std::to_string(W.rows()) + " x " +
                     std::to_string(W.cols()) + ", Z is " + std::to_string(Z.rows()) + " x " +
                     std::to_string(Z.cols()));
  if (W.size() == 0) {
    X.resize(0, 0);
    return {Status::converged};
  }
  const Extremes extremes = scale_entry_weights(W, work);
  return solve(Z, X, EntryColumns{work}, extremes, options, work);
}

}  // namespace mkc::solvers
