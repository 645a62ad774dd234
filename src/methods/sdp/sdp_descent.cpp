#include "methods/sdp/sdp_descent.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/shared/relations.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

namespace {

constexpr int steps_per_update = 4;  // see docs/methods/sdp.md

// Up to `steps` steps from X towards the minimiser of the block; returns the residual of the start.
double solve_block(const SdpObjective::Block& block, Matrix& X, int steps, double tolerance,
                   solvers::PsdLeastSquaresWorkspace& work) {
  const Matrix before = X;
  const auto result = solvers::psd_least_squares(
      block.target, block.weights, X, {.max_iterations = steps, .tolerance = tolerance}, work);
  if (result.condition > 1) return result.first_residual;
  const double size = block.target.norm();
  return size > 0 ? (X - before).norm() / size : 0;  // the one step was exact
}

}  // namespace

SdpDescent::SdpDescent(const SdpObjective& objective, std::vector<Matrix> X, Matrix S)
    : objective_(objective), X_(std::move(X)), S_(std::move(S)), split_(X_.size()) {
  X_old_ = X_;
  value_ = objective_.value(X_, S_);
}

// solve_block with the workspace of another view, whose spectrum need not be split like this one's.
double SdpDescent::solve(const SdpObjective::Block& block, Index m, Matrix& X, int steps,
                         double tolerance) {
  auto& split = split_[at(m)];
  if (!work_.projector) work_.projector.emplace(X.rows());
  work_.projector->set_next(split);
  const double residual = solve_block(block, X, steps, tolerance, work_);
  split = work_.projector->next();
  return residual;
}

double SdpDescent::round() {
  const double next = (1 + std::sqrt(1 + 4 * momentum_ * momentum_)) / 2;
  const double beta = (momentum_ - 1) / next;
  momentum_ = next;
  for (std::size_t m = 0; m < X_.size(); ++m) {
    X_old_[m] = X_[m] + beta * (X_[m] - X_old_[m]);
    std::swap(X_[m], X_old_[m]);
  }
  const Matrix S_old = S_;
  const auto back = [&] {
    X_ = X_old_;
    S_ = S_old;
  };
  double residual = 0, now = 0;
  try {
    residual = beta > 0 ? extrapolated_round() : plain_round();
    now = objective_.value(X_, S_);
    if (beta > 0 && !(now <= value_)) {
      momentum_ = 1;
      back();
      residual = plain_round();
      now = objective_.value(X_, S_);
    }
  } catch (const InterruptedError&) {  // inside a round X_ may be rescaled, or not PSD
    back();
    throw;
  }
  value_ = now;
  last_residual_ = residual;
  return residual;
}

double SdpDescent::extrapolated_round() {
  double largest = 0;
  for (Index m = 0; m < static_cast<Index>(X_.size()); ++m) {
    const std::size_t i = static_cast<std::size_t>(m);
    largest = std::max(largest, solve(objective_.block(X_, S_, m), m, X_[i], 1, 0));
  }
  update_relations();
  return largest;
}

double SdpDescent::plain_round() {
  double largest = 0;
  for (Index m = 0; m < static_cast<Index>(X_.size()); ++m)
    largest = std::max(largest, update_kernel(m));
  update_relations();
  return largest;
}

double SdpDescent::update_kernel(Index m) {
  Matrix& X = X_[at(m)];
  const SdpObjective::Block block = objective_.block(X_, S_, m);
  const double old_value = value_of(block, X);
  Matrix old = X;
  const double residual = solve(block, m, X, steps_per_update, 0.1 * last_residual_);
  if (value_of(block, X) <= old_value) return residual;

  // Momentum may overshoot where few steps are taken; one plain step from a PSD point does not.
  X = old;
  solve(block, m, X, 1, 0);
  if (!(value_of(block, X) <= old_value)) X = std::move(old);  // rounding alone is left
  return residual;
}

void SdpDescent::update_relations() {
  const Matrix gram = gram_of_matrices(X_);
  for (Index m = 0; m < S_.rows(); ++m) {
    const Vector old = S_.row(m), s = relations_of_view(gram, m, objective_.sigma(m));
    if (objective_.relation_cost(X_, s, m) < objective_.relation_cost(X_, old, m))
      S_.row(m) = s.transpose();
  }
}

double SdpDescent::residual() {
  double largest = 0;
  for (Index m = 0; m < static_cast<Index>(X_.size()); ++m) {
    Matrix X = X_[at(m)];
    largest = std::max(largest, solve(objective_.block(X_, S_, m), m, X, 1, 0));
  }
  return largest;
}

}  // namespace mkc
