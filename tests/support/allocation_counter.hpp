#pragma once

namespace mkc::test {

/// Calls of malloc by this thread so far, from any library, Eigen's included: the difference around
/// a call shows what it allocates.
long allocations();

}  // namespace mkc::test
