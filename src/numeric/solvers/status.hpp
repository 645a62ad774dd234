#pragma once

namespace mkc::solvers {

/// How an iteration ended.
enum class Status {
  converged,       // the residual is at or below the tolerance
  max_iterations,  // the limit came first; the best point so far is returned
  stopped,         // the caller's callback asked to stop
  no_progress,     // rounding allows no further decrease
};

constexpr const char* name(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::max_iterations:
      return "max_iterations";
    case Status::stopped:
      return "stopped";
    case Status::no_progress:
      return "no_progress";
  }
  return "unknown";
}

}  // namespace mkc::solvers
