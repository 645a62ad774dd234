#include "numeric/chi_square.hpp"

#include <algorithm>
#include <cmath>

namespace mkc {

// With y = x / 2 and a = degrees / 2 the tail is Q(a, y), where Q(1/2, y) = erfc(sqrt y),
// Q(1, y) = exp(-y) and Q(a + 1, y) = Q(a, y) + y^a exp(-y) / Gamma(a + 1).
double chi_square_tail(double x, Index degrees) {
  if (!(x > 0)) return 1;
  const double y = x / 2, end = static_cast<double>(degrees) / 2;
  double a = degrees % 2 == 1 ? 0.5 : 1;
  double tail = degrees % 2 == 1 ? std::erfc(std::sqrt(y)) : std::exp(-y);
  for (; a < end; a += 1) tail += std::exp(a * std::log(y) - y - std::lgamma(a + 1));
  return std::min(tail, 1.0);
}

}  // namespace mkc
