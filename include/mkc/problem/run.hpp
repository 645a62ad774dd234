#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "mkc/base/types.hpp"
#include "mkc/kernels/normalize.hpp"

namespace mkc {

/// Where a running method is.
struct Progress {
  std::string phase;
  Index iteration = 0;
  Index max_iterations = 0;  // 0 = not known
  double objective = 0;      // NaN = there is none
  double residual = 0;       // ends at `tolerance`; 0 = not known
  double tolerance = 0;
  double share = 0;  // of the work of this phase that is done, 0 to 1; 0 = not known
  /// Whether a method that is asked to stop now returns something: the best so far.
  bool has_result = false;
};

/// Called by a running method, from any of its threads but one at a time; false asks it to stop and
/// return the best so far.
using ProgressCallback = std::function<bool(const Progress&)>;

/// How to run, the same for every method.
struct RunOptions {
  std::uint64_t seed = 0;     // decides every random draw; the number of threads never does
  int threads = 1;            // worker threads
  bool fitted = false;        // true: the model's own matrices, observed entries not put back
  ProgressCallback progress;  // may be empty
  /// May be null, else outlives the run. Where the callback would return false this may be set as
  /// well: a method with a result does not finish its step then.
  const std::atomic<bool>* stop = nullptr;

  /// Applied to every observed block before the method sees it and undone on the result.
  /// Empty: none; one entry: for all views; otherwise one entry per view.
  std::vector<KernelTransformOptions> transforms;
};

/// Number of hardware threads this process may use.
int available_threads();

}  // namespace mkc
