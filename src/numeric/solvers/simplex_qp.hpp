#pragma once

#include "mkc/base/types.hpp"

namespace mkc::solvers {

/// Minimises 1/2 s'Hs - b's over the simplex {s >= 0, sum s = 1}, H (n, n) symmetric and positive
/// semi-definite, singular or not, b (n), n >= 1: a primal active-set method, exact up to rounding,
/// O(n^2) a change of the set. Deterministic: it starts from the best vertex, the steepest variable
/// enters, the first to reach zero leaves, and the lowest index wins a tie; where the minimiser is
/// not unique, that decides which one is returned. Its support is affinely independent, and entries
/// outside it are exactly zero.
Vector simplex_qp(const MatrixRef& H, const Vector& b);

}  // namespace mkc::solvers
