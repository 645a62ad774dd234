#pragma once

#include <concepts>
#include <vector>

#include "mkc/base/types.hpp"
#include "numeric/solvers/status.hpp"

namespace mkc::solvers {

/// Minimise F(X) = f(X) + g(X): f smooth, convex or not; g convex with a proximal step.
template <class P>
concept CompositeProblem = requires(P& problem, const Matrix& X, Matrix& M, double step) {
  { problem.value(X) } -> std::convertible_to<double>;                  // f(X)
  { problem.value_and_gradient(X, M) } -> std::convertible_to<double>;  // f(X); M <- grad f(X)
  { problem.penalty(X) } -> std::convertible_to<double>;                // g(X)
  problem.prox(M, step);                                                // M <- prox_{step g}(M)
  { problem.stationarity(X, X) } -> std::convertible_to<double>;        // (X, grad f(X)):
};  // dist(0, dF(X))

struct ProximalGradientOptions {
  int max_iterations = 1000;
  /// Stop once dist(0, dF(X)) <= tolerance * scale, where scale is the largest ||grad f||_F that
  /// the workspace has met: multiplying f and g, or rescaling X, changes nothing.
  double tolerance = 1e-6;
  bool keep_history = true;  // F after every iteration in Result::history
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

/// Memory, step length and gradient scale, kept from one call to the next. A step of 0 is replaced
/// by 2 f / ||grad f||^2, which is at least 1/L for f >= 0. A step too long costs a few values of
/// f, one too short a few iterations.
struct ProximalGradientWorkspace {
  Matrix X_old, Y, Z, G;
  double step = 0;
  double scale = 0;
};

}  // namespace mkc::solvers
