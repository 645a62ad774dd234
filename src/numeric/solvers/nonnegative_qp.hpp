#pragma once

#include "mkc/base/types.hpp"

namespace mkc::solvers {

/// Minimises 1/2 x'Hx - b'x over x >= 0, H (n, n) symmetric and positive definite, b (n): the
/// active-set method of Lawson and Hanson (1974), exact up to rounding. Entries outside the support
/// are exactly zero.
Vector nonnegative_qp(const MatrixRef& H, const Vector& b);

}  // namespace mkc::solvers
