#pragma once

#include "mkc/base/types.hpp"

/// Columns of words: a cell holds the number of its word, 0, 1, ..., or NaN.
namespace mkc {

/// The number that most cells hold, of several the one that comes first; NaN where all are NaN.
double most_frequent(const Eigen::Ref<const Vector>& codes);

/// Fills the NaN cells of these columns with the most frequent number of the column. A column
/// without any stays. Returns how many cells were filled.
Index fill_with_most_frequent(Matrix& X, const Indices& columns);

}  // namespace mkc
