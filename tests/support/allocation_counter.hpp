#pragma once

#include <cstddef>

namespace mkc::test {

/// Calls of malloc by this thread so far, from any library, Eigen's included, but for what BLAS
/// takes for itself: the difference around a call shows what it allocates.
long allocations();

/// The largest single allocation of this thread since reset_largest_allocation(), in bytes.
void reset_largest_allocation();
std::size_t largest_allocation();

/// Bytes that all threads have allocated and not yet freed, and the most since reset_peak_bytes().
long live_bytes();
void reset_peak_bytes();
long peak_bytes();

}  // namespace mkc::test
