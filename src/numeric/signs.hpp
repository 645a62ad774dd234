#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// Eigenvectors are known up to their sign. Here the entry with the largest absolute value of every
/// column is positive.
Matrix with_fixed_signs(Matrix vectors);

}  // namespace mkc
