#pragma once

#include <string>

#include "mkc/base/types.hpp"

namespace mkc::report {

/// A kernel small enough for a page: samples in the given order, cut into runs of nearly equal
/// length; an entry is the mean over the pairs of two runs.
struct Thumbnail {
  Matrix after;   // (cells, cells), over all pairs
  Matrix before;  // over the pairs that were both observed; NaN where there is none
};
Thumbnail thumbnail(const Matrix& K, const Eigen::Array<bool, Eigen::Dynamic, 1>& observed,
                    const Indices& order, Index cells);

/// The range of values to show: all but the outermost half percent at each end of what is off the
/// diagonal, which often stands out. Rounded, so that the page can say what a shade means.
struct Shades {
  double low, high;
};
Shades shades_of(const Matrix& grid);

/// The lower triangle row by row, one byte per entry: 0 = NaN, 1 ... 255 = low ... high. In base64.
std::string packed_triangle(const Matrix& grid, const Shades& shades);

/// One byte per share, 0 ... 255 = 0 ... 1. In base64.
std::string packed_shares(const Vector& shares);

/// Cells per side: at most 300, fewer where there are so many views that the page would grow.
Index cells_for(Index n_samples, Index n_views);

}  // namespace mkc::report
