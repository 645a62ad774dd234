#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// x_i <- exp(max(x_i, -708)) for x_i <= 709, within two units in the last place.
/// With AVX2 and FMA where the processor has them (docs/decisions/0002-blas-on-one-thread.md).
void exponentials(double* x, Index n);

}  // namespace mkc
