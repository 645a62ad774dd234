#pragma once

#include <functional>
#include <string>

#include "mkc/base/types.hpp"

namespace mkc::app {

/// Runs pieces of work in processes of their own, up to `workers` at a time: each has a peak memory
/// of its own, and one that dies takes nobody with it.
struct ProcessPool {
  int workers = 1;
  std::function<void(Index)> work;  // in the new process; whatever is thrown makes it fail
  /// In this process, in the order of completion. `failure` is "" where the work returned.
  std::function<void(Index, const std::string& failure)> finished;
  /// In this process, a few times a second; false ends the running processes and returns.
  std::function<bool()> go_on;

  /// work(0) ... work(count - 1). Must be called while this process has one thread. False where
  /// go_on ended it.
  bool run(Index count);
};

/// The largest resident memory of this process so far, in MiB.
double peak_memory_mib();

}  // namespace mkc::app
