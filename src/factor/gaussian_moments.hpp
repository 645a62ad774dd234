#pragma once

#include <map>

#include "factor/rows.hpp"

namespace mkc::factor {

/// Count, sum and second moments of the leading features x that the samples of one pattern of
/// missing views have, side by side.
struct PatternSums {
  double count = 0;
  Vector sum;     // (o) sum of x
  Matrix second;  // (o, o) sum of x x'
};

/// What the first pass adds up: all that a Gaussian with missing views needs to know of the data.
struct GaussianMoments {
  std::map<Pattern, PatternSums> patterns;
  std::vector<Vector> totals;  // per view (r_m): sum of all features over the samples that have it
  Vector counts, squares;      // (M) number of these samples, sum of |phi|^2

  /// `widths` (M): how many leading features of each view take part.
  void add(const Rows& rows, const Indices& widths);
  void add(const GaussianMoments& other);
};

}  // namespace mkc::factor
