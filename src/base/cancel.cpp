#include "base/cancel.hpp"

#include "mkc/base/error.hpp"

namespace mkc {

namespace {

thread_local const std::atomic<bool>* flag = nullptr;

}  // namespace

CancelScope::CancelScope(const std::atomic<bool>& wanted) : before_(flag) { flag = &wanted; }

CancelScope::~CancelScope() { flag = before_; }

const std::atomic<bool>* cancel_flag() { return flag; }

void check_cancelled() {
  if (flag != nullptr && flag->load(std::memory_order_relaxed))
    throw InterruptedError("the work was cancelled");
}

}  // namespace mkc
