#pragma once

#include <string>

#include "mkc/base/types.hpp"

namespace mkc::report {

/// A kernel small enough for a page: samples in the given order, cut into bins of nearly equal
/// size; an entry is the mean over the pairs of two bins.
struct Thumbnail {
  Matrix after;   // (bins, bins), over all pairs
  Matrix before;  // over the pairs of observed samples; NaN where there is none
};
Thumbnail thumbnail(const Matrix& K, const Eigen::Array<bool, Eigen::Dynamic, 1>& observed,
                    const Indices& order, Index bins);

/// The range of values to show: the 0.5 and 99.5 percentiles off the diagonal, which is often much
/// larger. Rounded, so that the page can print it.
struct Shades {
  double low, high;
};
Shades shades_of(const Matrix& grid);

/// The lower triangle row by row, one byte per entry: 0 = NaN, 1 ... 255 = low ... high. In base64.
std::string packed_triangle(const Matrix& grid, const Shades& shades);

/// One byte per share, 0 ... 255 = 0 ... 1. In base64.
std::string packed_shares(const Vector& shares);

/// Cells per side: at most 300, fewer with many views, to keep the page small.
Index bins_for(Index n_samples, Index n_views);

}  // namespace mkc::report
