#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// HKH with H = I - 11'/N: the kernel of the samples seen from their mean.
Matrix centred(const MatrixRef& K);

}  // namespace mkc
