#pragma once

#include "mkc/types.hpp"

/// Selected columns copied between matrices that have their sizes already. Eigen's own
/// indexed views copy the list of indices at every call.
namespace mkc {

/// to = from(:, columns)
inline void gather_columns(const Matrix& from, const Indices& columns, Matrix& to) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    to.col(static_cast<Index>(c)) = from.col(columns[c]);
}

}  // namespace mkc
