#pragma once

namespace mkc::solvers {

/// How an iteration ended.
enum class Status {
  converged,       // the residual is at or below the tolerance
  max_iterations,  // the limit came first; the best point so far is returned
  no_progress,     // rounding allows no further decrease
};

}  // namespace mkc::solvers
