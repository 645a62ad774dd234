#pragma once

#include "mkc/base/cancel.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

/// The flag of the innermost CancelScope of this thread, or null.
const std::atomic<bool>* cancel_flag();

/// Throws InterruptedError where the work is cancelled.
void check_cancelled();

/// While it lives, steps of this thread are cut short once `wanted` (may be null) is true.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* wanted);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const std::atomic<bool>* before_;
};

const std::atomic<bool>* stop_flag();

/// Runs the step of an iteration. False where it was cut short, which needs a result to return and
/// a state that stays usable: an exception may come from any call of BLAS.
template <class Step>
bool whole_step(bool has_result, const Step& step) {
  const std::atomic<bool>* stop = stop_flag();
  if (stop == nullptr || !has_result) {
    step();
    return true;
  }
  const CancelScope scope(*stop);
  try {
    step();
    return true;
  } catch (const InterruptedError&) {
    return false;
  }
}

}  // namespace mkc
