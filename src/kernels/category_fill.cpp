#include "kernels/category_fill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace mkc {

double most_frequent(const Eigen::Ref<const Vector>& codes) {
  std::unordered_map<double, Index> count;
  Index most = 0;
  for (const double code : codes)
    if (!std::isnan(code)) most = std::max(most, ++count[code]);
  for (const double code : codes)
    if (!std::isnan(code) && count[code] == most) return code;
  return std::numeric_limits<double>::quiet_NaN();
}

Index fill_with_most_frequent(Matrix& X, const Indices& columns) {
  Index filled = 0;
  for (const Index j : columns) {
    const double code = most_frequent(X.col(j));
    if (std::isnan(code)) continue;
    for (double& value : X.col(j))
      if (std::isnan(value)) {
        value = code;
        ++filled;
      }
  }
  return filled;
}

}  // namespace mkc
