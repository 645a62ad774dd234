#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "mkc/base/types.hpp"

namespace mkc::test {

/// Central differences (f(X + hE) - f(X - hE)) / 2h of a scalar function of a matrix, entry by
/// entry, with h = step max(1, |x|).
template <class F>
Matrix finite_difference_gradient(F&& f, Matrix X, double step = 1e-6) {
  Matrix G(X.rows(), X.cols());
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i) {
      const double x = X(i, j), h = step * std::max(1.0, std::abs(x));
      X(i, j) = x + h;
      const double above = f(X);
      X(i, j) = x - h;
      G(i, j) = (above - f(X)) / (2 * h);
      X(i, j) = x;
    }
  return G;
}

/// ||G - differences||_F / ||differences||_F: about 1e-9 for a right gradient of a smooth function.
template <class F>
double gradient_error(F&& f, const Matrix& X, const Matrix& G, double step = 1e-6) {
  const Matrix differences = finite_difference_gradient(f, X, step);
  return (G - differences).norm() /
         std::max(differences.norm(), std::numeric_limits<double>::min());
}

}  // namespace mkc::test
