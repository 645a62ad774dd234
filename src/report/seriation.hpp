#pragma once

#include "mkc/base/types.hpp"

namespace mkc::report {

/// An order of the rows of X (n, d) in which neighbours are alike, so that a kernel matrix shows
/// its structure: cut in two again and again (2-means, from the direction in which the rows of a
/// part differ most), each part turned towards its neighbours. O(n d^2 log n) for parts of like
/// size.
Indices seriate(const Matrix& X);

}  // namespace mkc::report
