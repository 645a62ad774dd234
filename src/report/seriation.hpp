#pragma once

#include "mkc/base/types.hpp"

namespace mkc::report {

/// An order of the rows of X (n, d) in which neighbours are similar, so that a kernel matrix shows
/// its structure. Parts are split in two recursively (2-means, started along the direction of
/// largest variance), and each part is oriented towards its neighbours. O(n d^2 log n) for balanced
/// splits.
Indices seriate(const Matrix& X);

}  // namespace mkc::report
