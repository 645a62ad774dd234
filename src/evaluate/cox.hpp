#pragma once

#include "mkc/problem/survival.hpp"

namespace mkc {

/// Kernel Cox regression: alpha of log hazard ratios K alpha that minimise
///
///   -l(K alpha) + ridge / 2 alpha' K alpha,   l = partial_log_likelihood,
///
/// K (n, n) symmetric and positive semi-definite. Newton's method; its steps are found by
/// conjugate gradients in the inner product of K, and halved until the objective falls. `start` is
/// a first guess, or empty.
Vector fit_cox(const MatrixRef& K, const Survival& truth, double ridge, Vector start = {});

}  // namespace mkc
