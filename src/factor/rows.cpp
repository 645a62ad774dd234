#include "factor/rows.hpp"

namespace mkc::factor {

Rows Rows::chosen(const Indices& rows) const {
  Rows some;
  for (const Matrix& F : features) some.features.emplace_back(F(rows, Eigen::all));
  some.has = has(rows, Eigen::all);
  return some;
}

Rows Rows::hiding(const Mask& hidden) const {
  Rows some = *this;
  for (Index m = 0; m < n_views(); ++m)
    for (Index i = 0; i < size(); ++i)
      if (hidden(i, m)) {
        some.has(i, m) = false;
        some.features[at(m)].row(i).setZero();
      }
  return some;
}

}  // namespace mkc::factor
