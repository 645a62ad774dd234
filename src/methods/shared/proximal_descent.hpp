#pragma once

#include <algorithm>
#include <limits>

#include "mkc/problem/result.hpp"
#include "mkc/problem/run.hpp"
#include "numeric/solvers/proximal_gradient.hpp"

/// What the paper's own objectives (`form=paper`) are minimised by.
namespace mkc {

struct DescentOptions {
  std::string method;  // for progress
  double tol;
  Index max_iter;
  bool forget_start = false;  // the gradient at the start is no measure of a small one
};

/// The last value is that of the returned X, and the terms are its parts.
inline void finish(Info& info, std::vector<std::pair<std::string, double>> terms) {
  info.terms = std::move(terms);
  info.objective.back() = 0;
  for (const auto& [name, value] : info.terms) info.objective.back() += value;
}

/// Rounds of monotone accelerated proximal gradient, `steps_per_round` steps each: for the paper's
/// own objectives, which are not quadratic. begin_round() may change the objective, as long as
/// that does not raise it. Stops where the distance to stationarity is at most tol times the
/// largest gradient met; after a random start, whose gradient is beyond all measure, of those met
/// after the first round.
template <class Objective, class BeginRound>
Info descend_proximal(Objective& objective, Matrix& X, const DescentOptions& options,
                      const ProgressCallback& progress, const BeginRound& begin_round) {
  constexpr int steps_per_round = 25;
  Info info;
  info.status = Status::max_iterations;
  solvers::ProximalGradientWorkspace work;
  solvers::ProximalGradientOptions settings;
  settings.max_iterations = steps_per_round;
  settings.tolerance = options.tol;
  settings.keep_history = false;
  for (Index round = 0; round < options.max_iter; ++round) {
    begin_round();
    const auto done = solvers::proximal_gradient(objective, X, settings, work);
    info.objective.push_back(done.objective);
    info.iterations = round + 1;
    const bool at_random_start = options.forget_start && round == 0;
    if (at_random_start) work.scale = 0;
    // stationary for the S of this very round
    if (done.status == solvers::Status::converged && done.iterations == 0 && !at_random_start)
      info.status = Status::converged;
    if (info.status == Status::converged || done.status == solvers::Status::no_progress) break;
    if (progress &&
        !progress({options.method, round + 1, options.max_iter, done.objective, 0, 0, 0, true})) {
      info.status = Status::interrupted;
      break;
    }
  }
  begin_round();  // the S that belongs to X
  objective.value_and_gradient(X, work.G);
  info.residual =
      objective.stationarity(X, work.G) / std::max(work.scale, std::numeric_limits<double>::min());
  finish(info, objective.terms(X));
  return info;
}

}  // namespace mkc
