#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// The chance that a chi-square variable with these degrees of freedom exceeds x.
double chi_square_tail(double x, Index degrees);

}  // namespace mkc
