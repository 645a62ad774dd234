#include "numeric/solvers/nonnegative_qp.hpp"

#include <limits>
#include <stdexcept>

#include "numeric/blocks.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc::solvers {

namespace {

Indices support_of(const std::vector<bool>& inside) {
  Indices support;
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (inside[i]) support.push_back(static_cast<Index>(i));
  return support;
}

// The minimiser on the support, its signs free; zero elsewhere.
Vector minimiser_on(const Indices& support, const MatrixRef& H, const Vector& b) {
  const auto factor = linalg::Cholesky::factor(submatrix(H, support, support));
  if (!factor) throw std::invalid_argument("nonnegative_qp: H is not positive definite");
  const Vector right = b(support);
  Vector x = Vector::Zero(b.size());
  x(support) = factor->solve(right);
  return x;
}

// The index outside the support with the steepest descent; -1 where none descends.
Index entering(const Vector& descent, const std::vector<bool>& inside, double tolerance) {
  Index best = -1;
  for (Index i = 0; i < descent.size(); ++i)
    if (!inside[at(i)] && descent(i) > tolerance && (best < 0 || descent(i) > descent(best)))
      best = i;
  return best;
}

// Goes from x towards z until an entry of the support reaches zero and leaves it.
void step_to_boundary(const Vector& z, const Indices& support, Vector& x,
                      std::vector<bool>& inside) {
  double share = 1;
  Index first = -1;
  for (const Index i : support)
    if (z(i) <= 0 && x(i) / (x(i) - z(i)) < share) {
      share = x(i) / (x(i) - z(i));
      first = i;
    }
  x += share * (z - x);
  for (const Index i : support)
    if (i == first || x(i) <= 0) {
      x(i) = 0;
      inside[at(i)] = false;
    }
}

}  // namespace

Vector nonnegative_qp(const MatrixRef& H, const Vector& b) {
  const Index n = b.size();
  const double tolerance = 1e-13 * static_cast<double>(n) * (n > 0 ? b.cwiseAbs().maxCoeff() : 0.0);
  Vector x = Vector::Zero(n);
  std::vector<bool> inside(at(n), false);
  const Index most_changes = 30 * n + 30;  // rounding must not make it run in circles
  for (Index change = 0; change < most_changes; ++change) {
    const Index next = entering(b - H * x, inside, tolerance);
    if (next < 0) break;
    inside[at(next)] = true;
    for (;;) {
      const Indices support = support_of(inside);
      const Vector z = minimiser_on(support, H, b);
      if ((z(support).array() > 0).all()) {
        x = z;
        break;
      }
      if (z(next) <= 0) {  // only by rounding: it descends
        inside[at(next)] = false;
        return x;
      }
      step_to_boundary(z, support, x, inside);
    }
  }
  return x;
}

}  // namespace mkc::solvers
