#include "base/cancel.hpp"

namespace mkc {

namespace {

thread_local const std::atomic<bool>* flag = nullptr;
thread_local const std::atomic<bool>* stop = nullptr;

}  // namespace

CancelScope::CancelScope(const std::atomic<bool>& wanted) : before_(flag) { flag = &wanted; }

CancelScope::~CancelScope() { flag = before_; }

StopScope::StopScope(const std::atomic<bool>* wanted) : before_(stop) { stop = wanted; }

StopScope::~StopScope() { stop = before_; }

const std::atomic<bool>* cancel_flag() { return flag; }
const std::atomic<bool>* stop_flag() { return stop; }

void check_cancelled() {
  if (flag != nullptr && flag->load(std::memory_order_relaxed))
    throw InterruptedError("the work was cancelled");
}

}  // namespace mkc
