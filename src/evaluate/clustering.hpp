#pragma once

#include <cstdint>

#include "mkc/base/types.hpp"

namespace mkc {

/// Samples in k clusters: k-means on the rows, scaled to length one, of the k leading eigenvectors
/// of K, which is kernel k-means with its indicator matrix relaxed to an orthogonal one. The best
/// of 20 starts, drawn as k-means++ does, keyed by seed and sample names.
Indices cluster(const MatrixRef& K, Index k, const Strings& samples, std::uint64_t seed);

}  // namespace mkc
