#pragma once

#include <concepts>
#include <functional>
#include <vector>

#include "numeric/solvers/status.hpp"
#include "mkc/base/types.hpp"

namespace mkc::solvers {

/// Minimise F(X) = f(X) + g(X): f smooth, convex or not; g convex with a proximal step.
template <class P>
concept CompositeProblem = requires(P& problem, const Matrix& X, Matrix& M, double step) {
  { problem.value(X) } -> std::convertible_to<double>;                  // f(X)
  { problem.value_and_gradient(X, M) } -> std::convertible_to<double>;  // f(X); M <- grad f(X)
  { problem.penalty(X) } -> std::convertible_to<double>;                // g(X)
  problem.prox(M, step);                                                // M <- prox_{step g}(M)
  { problem.stationarity(X, X) } -> std::convertible_to<double>;        // (X, grad f(X)):
};                                                                      // dist(0, dF(X))

struct ProximalGradientProgress {
  int iteration;     // 1, 2, ...
  double objective;  // F(X)
  double residual;   // ||Y - X||_F / (step scale), the last step's length; see `tolerance`
  double step;
};

struct ProximalGradientOptions {
  int max_iterations = 1000;
  /// Stop once dist(0, dF(X)) <= tolerance * scale, where scale is the largest ||grad f||_F that
  /// the workspace has met: multiplying f and g, or rescaling X, changes nothing.
  double tolerance = 1e-6;
  /// First step length; 0 takes the workspace's last one, or 2 f / ||grad f||^2, which is at least
  /// 1/L for f >= 0. A step too long costs a few values of f, one too short a few iterations.
  double initial_step = 0;
  double shrink = 0.5;       // a step that decreases too little is multiplied by this
  double growth = 1.2;       // the step after one accepted at once; 1 never grows
  bool accelerate = true;    // false: plain proximal gradient
  bool keep_history = true;  // F after every iteration in Result::history
  /// Called after every iteration; returning true stops.
  std::function<bool(const ProximalGradientProgress&)> should_stop = {};
};

struct ProximalGradientResult {
  Status status = Status::max_iterations;
  int iterations = 0;
  double objective = 0;
  /// dist(0, dF(X)) / scale where status is converged, else the last step's ||Y - X||_F over step
  /// and scale, which costs no extra gradient.
  double residual = 0;
  /// F at the start and after every iteration; never rises by more than the rounding error of f.
  std::vector<double> history;
};

/// Memory, step length and gradient scale, kept from one call to the next.
struct ProximalGradientWorkspace {
  Matrix X_old, Y, Z, G;
  double step = 0;
  double scale = 0;
};

}  // namespace mkc::solvers
