#pragma once

#include <atomic>

namespace mkc {

/// While it lives, the library's work on this thread, and on threads that it starts, ends soon
/// after `wanted` became true: the next task or call of BLAS throws InterruptedError. For work that
/// nobody waits for any more; ProgressCallback asks a method to return the best so far instead.
class CancelScope {
 public:
  explicit CancelScope(const std::atomic<bool>& wanted);
  ~CancelScope();
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

 private:
  const std::atomic<bool>* before_;
};

}  // namespace mkc
