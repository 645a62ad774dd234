#pragma once

#include <algorithm>
#include <utility>

#include "numeric/solvers/proximal_gradient_run.hpp"
#include "numeric/solvers/proximal_gradient_types.hpp"

namespace mkc::solvers {

/// Monotone accelerated proximal gradient: FISTA whose momentum restarts, from X itself, where a
/// step would raise F (function restart) or turns back (gradient restart). X is the start and
/// becomes the answer. Allocates nothing per iteration beyond what the problem does.
template <CompositeProblem P>
ProximalGradientResult proximal_gradient(P& problem, Matrix& X,
                                         const ProximalGradientOptions& options,
                                         ProximalGradientWorkspace& work) {
  ProximalGradientResult result;
  detail::ProximalGradientRun<P> run(problem, X, options, work);
  const auto finish = [&](Status status) {
    result.status = status;
    result.objective = run.objective();
    result.residual = run.residual();
    return std::move(result);
  };
  if (options.keep_history)
    result.history.reserve(static_cast<std::size_t>(std::clamp(options.max_iterations, 0, 10000)) +
                           1);

  run.start_from_X();
  run.find_first_objective();
  if (options.keep_history) result.history.push_back(run.objective());
  if (run.is_stationary_at_Y()) return finish(Status::converged);

  while (result.iterations < options.max_iterations) {
    if (result.iterations > 0) run.extrapolate();
    bool lower = run.step_with_line_search() && run.lowers_objective();
    if (!lower && !run.is_plain()) {
      run.start_from_X();
      if (run.is_stationary_at_Y()) return finish(Status::converged);
      lower = run.step_with_line_search() && run.lowers_objective();
    }
    if (!lower) return finish(Status::no_progress);
    run.accept();

    ++result.iterations;
    if (options.keep_history) result.history.push_back(run.objective());
    if (run.is_stationary_at_X()) return finish(Status::converged);
    if (run.is_idle()) return finish(Status::no_progress);
  }
  return finish(Status::max_iterations);
}

}  // namespace mkc::solvers
