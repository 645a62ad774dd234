#pragma once

#include "mkc/base/types.hpp"

namespace mkc::prox {

/// Nearest point of the simplex {s >= 0, sum s = radius} to v (n), n >= 1: exact, by sorting. What
/// is outside the support is exactly zero.
Vector project_simplex(Vector v, double radius = 1);

}  // namespace mkc::prox
