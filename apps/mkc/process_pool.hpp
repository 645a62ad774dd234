#pragma once

#include <functional>
#include <string>

#include "mkc/base/types.hpp"

namespace mkc::app {

/// Runs pieces of work in separate processes, up to `workers` at a time. Each has its own peak
/// memory, and a crash does not affect the others.
struct ProcessPool {
  int workers = 1;
  std::function<void(Index)> work;  // in the new process; it fails if this throws
  /// In this process, as they finish. `failure` is "" where the work returned.
  std::function<void(Index, const std::string& failure)> finished;
  /// In this process, a few times a second; false ends the running processes and returns.
  std::function<bool()> go_on;

  /// work(0) ... work(count - 1). Must be called while this process has one thread.
  void run(Index count);
};

/// The largest resident memory of this process so far, in MiB.
double peak_memory_mib();

}  // namespace mkc::app
