#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// InputError naming view and sample unless every kernel is (N, N), finite, symmetric and has some
/// variance, and every sample has an entry other than zero in some view.
void check_complete_kernels(const std::vector<Matrix>& kernels, const Strings& views,
                            const Strings& samples);

}  // namespace mkc
