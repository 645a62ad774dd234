#pragma once

#include "mkc/types.hpp"

/// Selected rows and columns copied between matrices that have their sizes already. Eigen's own
/// indexed views copy the list of indices at every call.
namespace mkc {

/// to = from(:, columns)
inline void gather_columns(const Matrix& from, const Indices& columns, Matrix& to) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    to.col(static_cast<Index>(c)) = from.col(columns[c]);
}

/// to = from(rows, :)
inline void gather_rows(const Matrix& from, const Indices& rows, Matrix& to) {
  to.resize(static_cast<Index>(rows.size()), from.cols());
  for (Index j = 0; j < from.cols(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i) to(static_cast<Index>(i), j) = from(rows[i], j);
}

/// to(rows, :) = from
inline void scatter_rows(const Matrix& from, const Indices& rows, Matrix& to) {
  for (Index j = 0; j < from.cols(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i) to(rows[i], j) = from(static_cast<Index>(i), j);
}

}  // namespace mkc
