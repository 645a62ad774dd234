#pragma once

#include "numeric/solvers/status.hpp"
#include "mkc/base/types.hpp"

namespace mkc::solvers {

struct SimplexQp {
  Vector s;              // (n) the minimiser; zero exactly outside its support
  double objective = 0;  // 1/2 s'Hs - b's
  /// With g = Hs - b and nu = s'g: the largest of nu - g_i over all i and |g_i - nu| over the i
  /// with s_i > 0, divided by max|H| + max|b|.
  double kkt_residual = 0;
  int iterations = 0;  // changes of the active set
  Status status = Status::converged;
};

/// Minimises 1/2 s'Hs - b's over the simplex {s >= 0, sum s = 1}, H (n, n) symmetric and positive
/// semi-definite, singular or not, b (n), n >= 1: a primal active-set method, exact up to rounding,
/// O(n^2) a change of the set. Deterministic: it starts from the best vertex, the steepest variable
/// enters, the first to reach zero leaves, and the lowest index wins a tie; where the minimiser is
/// not unique, that decides which one is returned. Its support is affinely independent.
SimplexQp simplex_qp(const MatrixRef& H, const Vector& b);

}  // namespace mkc::solvers
