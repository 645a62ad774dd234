#pragma once

#include <cstdint>

#include "mkc/base/types.hpp"

namespace mkc {

/// Points in k clusters: the best of `starts` runs of k-means, whose first centres are drawn as
/// k-means++ does, keyed by seed and sample names.
Indices k_means(const Matrix& points,  // (d, n)
                Index k, const Strings& samples, std::uint64_t seed, int starts);

}  // namespace mkc
