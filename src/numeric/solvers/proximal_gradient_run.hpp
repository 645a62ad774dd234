#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numeric/solvers/proximal_gradient_types.hpp"

namespace mkc::solvers::detail {

/// The state of one run and its named steps; proximal_gradient() puts them in order.
template <CompositeProblem P>
class ProximalGradientRun {
 public:
  ProximalGradientRun(P& problem, Matrix& X, const ProximalGradientOptions& options,
                      ProximalGradientWorkspace& work)
      : problem_(problem), X_(X), options_(options), w_(work) {
    for (Matrix* M : {&w_.X_old, &w_.Y, &w_.Z, &w_.G}) M->resize(X.rows(), X.cols());
    w_.X_old = X_;
  }

  // Y <- X, with f(Y) and its gradient: a plain step without momentum.
  void start_from_X() {
    momentum_ = next_momentum(1);
    plain_ = true;
    w_.Y = X_;
    find_gradient();
  }

  // Y <- X + beta (X - X_old) with beta = (t - 1) / t_next, with f(Y) and its gradient.
  void extrapolate() {
    if (momentum_ == 1) return start_from_X();
    const double next = next_momentum(momentum_), beta = (momentum_ - 1) / next;
    momentum_ = next;
    plain_ = false;
    w_.Y.noalias() = X_ + beta * (X_ - w_.X_old);
    find_gradient();
  }

  // F(X), f(X) being known from start_from_X().
  void find_first_objective() {
    objective_ = lowest_ = mark_ = f_of_Y_ + problem_.penalty(X_);
    if (w_.step > 0) return;
    // ||grad f||^2 <= 2 L f for f >= 0, so 2 f / ||grad f||^2 >= 1 / L
    const double squares = w_.G.squaredNorm();
    w_.step = squares > 0 && f_of_Y_ != 0 ? 2 * std::abs(f_of_Y_) / squares : 1.0;
  }

  // Z <- prox(Y - step G), the step shrunk until f(Z) <= f(Y) + <G, Z - Y> + ||Z - Y||^2/(2 step).
  bool step_with_line_search() {
    constexpr int most_attempts = 80;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      w_.Z.noalias() = w_.Y - w_.step * w_.G;
      problem_.prox(w_.Z, w_.step);
      const auto [squares, slope] = compare_Z_with_Y();
      const double f_of_Z = problem_.value(w_.Z);
      const double excess = f_of_Z - f_of_Y_ - slope, allowance = squares / (2 * w_.step);
      find_noise(f_of_Z);
      if (excess <= allowance + noise_) {
        objective_of_Z_ = f_of_Z + problem_.penalty(w_.Z);
        mapping_ = std::sqrt(squares) / w_.step;
        may_grow_ = attempt == 0 && allowance > rounding(f_of_Z) && excess < 0.8 * allowance;
        return true;
      }
      w_.step *= shrink;
    }
    return false;
  }

  // F(Z) <= F(X), up to rounding: never more than that above the lowest F so far.
  bool lowers_objective() const { return objective_of_Z_ <= lowest_ + noise_; }

  // X_old <- X, X <- Z; the momentum restarts where the step turned back on the last move.
  void accept() {
    double turn = 0;  // <Y - Z, Z - X>
    for (Index j = 0; j < X_.cols(); ++j)
      turn += (w_.Y.col(j) - w_.Z.col(j)).dot(w_.Z.col(j) - X_.col(j));
    if (turn > 0) momentum_ = 1;
    std::swap(w_.X_old, X_);
    std::swap(X_, w_.Z);
    objective_ = objective_of_Z_;
    watch_progress();
    if (may_grow_) w_.step *= growth;
  }

  // At Y = X the gradient is there already.
  bool is_stationary_at_Y() { return plain_ && is_stationary(w_.Y); }

  // Asked only where the step was short enough to make a gradient worth its price.
  bool is_stationary_at_X() {
    if (mapping_ > options_.tolerance * w_.scale) return false;
    problem_.value_and_gradient(X_, w_.G);
    return is_stationary(X_);
  }

  bool is_idle() const { return idle_ > 100; }
  bool is_plain() const { return plain_; }
  double objective() const { return objective_; }
  double residual() const { return w_.scale > 0 ? mapping_ / w_.scale : mapping_; }

 private:
  static constexpr double shrink = 0.5;  // of a step that decreases F too little
  static constexpr double growth = 1.2;  // of the step after one accepted at once

  static double rounding(double value) {
    return 64 * std::numeric_limits<double>::epsilon() * std::abs(value);
  }

  // What rounding may do to f. Its terms can be much larger than their sum: a quadratic f has terms
  // of the size L ||Y||^2 / 2, and 1 / step takes the place of L.
  void find_noise(double f_of_Z) {
    const double largest = std::max(std::abs(f_of_Z), std::abs(f_of_Y_));
    noise_ = rounding(largest) + rounding(w_.Y.squaredNorm() / (2 * w_.step)) / 16;
  }

  // Progress is a new low of the objective beyond rounding, or of the step's length.
  void watch_progress() {
    lowest_ = std::min(lowest_, objective_);
    const bool lower = lowest_ < mark_ - rounding(mark_), shorter = mapping_ < 0.9 * shortest_;
    idle_ = lower || shorter ? 0 : idle_ + 1;
    if (lower) mark_ = lowest_;
    shortest_ = std::min(shortest_, mapping_);
  }

  // t_next = (1 + sqrt(1 + 4 t^2)) / 2
  static double next_momentum(double t) { return (1 + std::sqrt(1 + 4 * t * t)) / 2; }

  void find_gradient() {
    f_of_Y_ = problem_.value_and_gradient(w_.Y, w_.G);
    w_.scale = std::max(w_.scale, w_.G.norm());
  }

  bool is_stationary(const Matrix& X) {
    const double distance = problem_.stationarity(X, w_.G);
    if (!(distance <= options_.tolerance * w_.scale)) return false;  // nor where it is not a number
    mapping_ = distance;
    return true;
  }

  // ||Z - Y||^2 and <G, Z - Y> in one pass.
  std::pair<double, double> compare_Z_with_Y() const {
    double squares = 0, slope = 0;
    for (Index j = 0; j < w_.Y.cols(); ++j) {
      squares += (w_.Z.col(j) - w_.Y.col(j)).squaredNorm();
      slope += w_.G.col(j).dot(w_.Z.col(j) - w_.Y.col(j));
    }
    return {squares, slope};
  }

  P& problem_;
  Matrix& X_;
  const ProximalGradientOptions& options_;
  ProximalGradientWorkspace& w_;
  double momentum_ = 1;  // Nesterov's t; 1 makes the next step plain
  bool plain_ = true;    // Y = X
  double f_of_Y_ = 0, objective_ = 0, objective_of_Z_ = 0;
  double mapping_ = 0;                                                      // ||Z - Y||_F / step
  double lowest_ = 0, shortest_ = std::numeric_limits<double>::infinity();  // of F and mapping_
  double mark_ = 0;   // F at the last progress
  double noise_ = 0;  // rounding error of f
  bool may_grow_ = false;
  int idle_ = 0;  // iterations since the last progress
};

}  // namespace mkc::solvers::detail
