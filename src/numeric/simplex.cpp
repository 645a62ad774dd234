#include "numeric/simplex.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "mkc/base/error.hpp"

namespace mkc::prox {

Vector project_simplex(Vector v, double radius) {
  if (v.size() == 0) throw InputError("project_simplex: no simplex has zero dimensions");
  if (!(radius >= 0) || !std::isfinite(radius))
    throw InputError("project_simplex: the radius must be finite and at least 0");
  if (!v.allFinite()) throw InputError("project_simplex: the point is not finite");
  v.array() -= v.maxCoeff();  // a common shift changes nothing and the sums below stay small
  Vector u = v;
  std::sort(u.begin(), u.end(), std::greater<>());
  // theta = (u_1 + ... + u_k - radius) / k for the largest k with u_k > theta
  double sum = 0, theta = -radius;
  for (Index k = 1; k <= u.size(); ++k) {
    sum += u(k - 1);
    const double candidate = (sum - radius) / static_cast<double>(k);
    if (u(k - 1) <= candidate) break;
    theta = candidate;
  }
  return (v.array() - theta).max(0.0);
}

}  // namespace mkc::prox
