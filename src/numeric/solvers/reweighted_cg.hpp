#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>

#include "mkc/base/types.hpp"

/// Group-sparse quadratic problems over one or more matrices whose rows are the groups:
///
///   F(X) = 1/2 <X, H X> - <R, X> + sum_b sum_i gamma_b(i) ||row i of X_b||,   H positive
///   semi-definite.
///
/// Iteratively reweighted: ||x|| <= ||x||^2 / (2 rho) + rho / 2 with equality at rho = ||x||, so
/// that each round minimises a quadratic bound of F by preconditioned conjugate gradients. Every
/// step lowers the bound, hence F; there is no step size. Unlike a proximal step this can use a
/// matrix preconditioner, which is what ill-conditioned kernels need.
namespace mkc::solvers {

using Blocks = std::vector<Matrix>;
using BlockVectors = std::vector<Vector>;

template <class P>
concept GroupQuadratic = requires(P& p, const Blocks& X, Blocks& Y, const BlockVectors& w) {
  { p.linear_norm() } -> std::convertible_to<double>;          // ||R||
  { p.linear_dot(X) } -> std::convertible_to<double>;          // <R, X>
  p.subtract_linear(Y);                                        // Y <- Y - R
  { p.row_penalties() } -> std::same_as<const BlockVectors&>;  // gamma >= 0
  p.apply(X, Y);                                               // Y <- H X
  p.prepare(w);          // get ready to precondition H + diag(w)
  p.precondition(X, Y);  // Y <- about (H + diag(w))^-1 X
};

struct ReweightedOptions {
  double tolerance = 1e-4;  // on dist(0, dF) / ||R||
  int steps = 15;           // conjugate gradient steps per round, at most
  double reduction = 0.1;   // a round ends when its residual has fallen to this share
};

/// Buffers of the size of X, kept between rounds; each serves several purposes in turn.
struct ReweightedWorkspace {
  Blocks residual;   // H X, the gradient G = H X - R, then the residual of conjugate gradients
  Blocks direction;  // X without its tiny rows, then the direction
  Blocks product;    // H times the direction, or the preconditioned residual
  BlockVectors norms, weights, squares;  // per row

  static bool same_size(const Matrix& A, const Matrix& B) {
    return A.rows() == B.rows() && A.cols() == B.cols();
  }

  void resize(const Blocks& X) {
    if (std::equal(X.begin(), X.end(), residual.begin(), residual.end(), same_size)) return;
    residual = direction = product = X;
    norms.resize(X.size());
    weights.resize(X.size());
    squares.resize(X.size());
    for (std::size_t b = 0; b < X.size(); ++b)
      norms[b] = weights[b] = squares[b] = Vector::Zero(X[b].rows());
  }
};

struct ReweightedRound {
  double objective = 0;  // F at the start of the round
  double residual = 0;   // dist(0, dF) / ||R|| at the start of the round
  int steps = 0;         // conjugate gradient steps taken; 0 = converged
};

namespace reweighted {

inline double dot(const Blocks& A, const Blocks& B) {
  double sum = 0;
  for (std::size_t b = 0; b < A.size(); ++b) sum += A[b].cwiseProduct(B[b]).sum();
  return sum;
}

inline void add(double scale, const Blocks& A, Blocks& B) {
  for (std::size_t b = 0; b < A.size(); ++b) B[b] += scale * A[b];
}

inline void copy(const Blocks& from, Blocks& to) {
  for (std::size_t b = 0; b < from.size(); ++b) to[b] = from[b];
}

/// Norms of the rows, in one pass over the columns.
inline void row_norms(const Blocks& X, BlockVectors& norms) {
  for (std::size_t b = 0; b < X.size(); ++b) {
    norms[b].setZero();
    for (Index j = 0; j < X[b].cols(); ++j) norms[b] += X[b].col(j).cwiseAbs2();
    norms[b] = norms[b].cwiseSqrt();
  }
}

inline double largest(const BlockVectors& norms) {
  double value = 0;
  for (const auto& v : norms)
    if (v.size() > 0) value = std::max(value, v.maxCoeff());
  return value;
}

/// ||(g_i + gamma_i x_i / ||x_i||)|| over non-zero rows, max(0, ||g_i|| - gamma_i) over zero rows.
/// In one pass over the columns; `scales` and `squares` are work space.
inline double stationarity(const Blocks& X, const Blocks& G, const BlockVectors& gamma,
                           const BlockVectors& norms, BlockVectors& scales, BlockVectors& squares) {
  double sum = 0;
  for (std::size_t b = 0; b < X.size(); ++b) {
    scales[b] = (norms[b].array() > 0).select(gamma[b].cwiseQuotient(norms[b]), 0);
    squares[b].setZero();
    for (Index j = 0; j < X[b].cols(); ++j)
      squares[b] += (G[b].col(j) + scales[b].cwiseProduct(X[b].col(j))).cwiseAbs2();
    for (Index i = 0; i < X[b].rows(); ++i)
      sum += norms[b](i) > 0 ? squares[b](i)
                             : std::pow(std::max(0.0, std::sqrt(squares[b](i)) - gamma[b](i)), 2);
  }
  return std::sqrt(sum);
}

/// F from X, HX and the row norms.
template <GroupQuadratic P>
double objective(P& problem, const Blocks& X, const Blocks& HX, const BlockVectors& norms) {
  const BlockVectors& gamma = problem.row_penalties();
  double value = 0.5 * dot(X, HX) - problem.linear_dot(X);
  for (std::size_t b = 0; b < X.size(); ++b) value += gamma[b].dot(norms[b]);
  return value;
}

/// Rows that have become tiny are set to zero together, if that lowers F. work.residual holds H X,
/// before and after.
template <GroupQuadratic P>
void drop_tiny_rows(P& problem, Blocks& X, ReweightedWorkspace& work, double F) {
  constexpr double tiny = 1e-3;  // relative to the largest row
  const double cut = tiny * largest(work.norms);
  bool any = false;
  for (const auto& v : work.norms) any = any || ((v.array() > 0) && (v.array() < cut)).any();
  if (!any) return;
  Blocks& fewer = work.direction;
  copy(X, fewer);
  for (std::size_t b = 0; b < X.size(); ++b)
    for (Index i = 0; i < X[b].rows(); ++i)
      if (work.norms[b](i) < cut) fewer[b].row(i).setZero();
  problem.apply(fewer, work.product);
  row_norms(fewer, work.norms);
  if (objective(problem, fewer, work.product, work.norms) <= F) {
    std::swap(X, fewer);
    std::swap(work.residual, work.product);
  } else {
    row_norms(X, work.norms);
  }
}

/// Preconditioned conjugate gradients for (H + diag(w)) D = r, X <- X + D, until |r| <= target.
/// work.residual holds r; work.weights w. Returns the number of steps.
template <GroupQuadratic P>
int conjugate_gradients(P& problem, Blocks& X, int most_steps, double target,
                        ReweightedWorkspace& work) {
  problem.precondition(work.residual, work.direction);
  double rz = dot(work.residual, work.direction);
  int steps = 0;
  while (steps < most_steps && rz > 0) {
    problem.apply(work.direction, work.product);
    for (std::size_t b = 0; b < X.size(); ++b)
      work.product[b] += work.weights[b].asDiagonal() * work.direction[b];
    const double curvature = dot(work.direction, work.product);
    if (!(curvature > 0)) break;
    const double step = rz / curvature;
    add(step, work.direction, X);
    add(-step, work.product, work.residual);
    ++steps;
    if (std::sqrt(dot(work.residual, work.residual)) <= target) break;
    problem.precondition(work.residual, work.product);
    const double next = dot(work.residual, work.product);
    for (std::size_t b = 0; b < X.size(); ++b)
      work.direction[b] = work.product[b] + (next / rz) * work.direction[b];
    rz = next;
  }
  return steps;
}

}  // namespace reweighted

/// One round from X: measures F and the distance to stationarity there, and improves X unless that
/// is within the tolerance. Rounds may be mixed with changes of the problem itself.
template <GroupQuadratic P>
ReweightedRound reweighted_round(P& problem, Blocks& X, const ReweightedOptions& options,
                                 ReweightedWorkspace& work) {
  using namespace reweighted;
  work.resize(X);
  const BlockVectors& gamma = problem.row_penalties();
  const double scale = std::max(problem.linear_norm(), std::numeric_limits<double>::min());

  problem.apply(X, work.residual);
  row_norms(X, work.norms);
  ReweightedRound round;
  round.objective = objective(problem, X, work.residual, work.norms);
  drop_tiny_rows(problem, X, work, round.objective);
  problem.subtract_linear(work.residual);  // G = H X - R
  round.residual =
      stationarity(X, work.residual, gamma, work.norms, work.weights, work.squares) / scale;
  if (round.residual <= options.tolerance) return round;

  // weights gamma_i / rho_i; rows at zero are held there unless their gradient pulls them away
  const double floor = std::max(1e-6 * largest(work.norms), std::numeric_limits<double>::min());
  for (std::size_t b = 0; b < X.size(); ++b)
    work.weights[b] = gamma[b].array() / work.norms[b].array().max(floor);
  problem.prepare(work.weights);

  // r = -(G + diag(w) X), the negative gradient of the quadratic bound
  for (std::size_t b = 0; b < X.size(); ++b)
    work.residual[b] = -work.residual[b] - work.weights[b].asDiagonal() * X[b];
  const double start = std::sqrt(dot(work.residual, work.residual));
  const double target = std::max(options.reduction * start, 0.3 * options.tolerance * scale);
  round.steps = conjugate_gradients(problem, X, options.steps, target, work);
  return round;
}

}  // namespace mkc::solvers
