#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// Kernel values of samples after the centre of the samples `known` is taken away from all: an
/// intercept is then free, and not regularised.
struct CentredBlocks {
  Matrix known;  // (n, n)
  Matrix asked;  // (a, n)
};
CentredBlocks centred_blocks(const MatrixRef& K, const Indices& known, const Indices& asked);

}  // namespace mkc
