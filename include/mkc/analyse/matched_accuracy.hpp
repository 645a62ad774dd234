#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// The largest share of samples on which two partitions agree when every part of one is matched
/// with at most one part of the other: what papers on clustering call accuracy. Parts are numbered
/// from 0.
double matched_accuracy(const Indices& truth, const Indices& clusters);

}  // namespace mkc
