#pragma once

#include "mkc/base/cancel.hpp"

namespace mkc {

/// The flag of the innermost CancelScope of this thread, or null.
const std::atomic<bool>* cancel_flag();

/// Throws InterruptedError where the work is cancelled.
void check_cancelled();

}  // namespace mkc
