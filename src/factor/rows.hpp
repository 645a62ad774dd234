#pragma once

#include <vector>

#include "mkc/base/types.hpp"

namespace mkc::factor {

/// Which views a sample has.
using Pattern = std::vector<bool>;

/// Some samples with the features of the views they have.
struct Rows {
  std::vector<Matrix> features;  // per view (n, r_m); 0 where the view is missing
  Mask has;                      // (n, M)

  Index size() const { return has.rows(); }
  Index n_views() const { return has.cols(); }
  Rows chosen(const Indices& rows) const;
  Rows hiding(const Mask& hidden) const;  // (n, M) true: as if it were missing
};

/// Per view (n, r_m): every sample's features, completed where they are missing.
using Features = std::vector<Matrix>;

}  // namespace mkc::factor
