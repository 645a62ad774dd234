#pragma once

namespace mkc::app {

/// Exit codes of the tool; docs/reference/exit-codes.md explains them to users.
enum ExitCode : int {
  exit_ok = 0,
  exit_unexpected = 1,
  exit_usage = 2,
  exit_bad_input = 3,
  exit_not_converged = 4,  // with --strict
  exit_memory = 5,
  exit_interrupted = 130,
};

}  // namespace mkc::app
