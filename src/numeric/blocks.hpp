#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// K on rows x cols, as a matrix of its own.
Matrix submatrix(const MatrixRef& K, const Indices& rows, const Indices& cols);

/// Writes `block` into K at rows x rows.
void paste(const MatrixRef& block, const Indices& rows, Matrix& K);

}  // namespace mkc
