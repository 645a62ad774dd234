#pragma once

#include "mkc/base/types.hpp"

/// Selected rows or columns copied between matrices that have their sizes already. Eigen's own
/// indexed views copy the list of indices at every call.
namespace mkc {

/// to = from(rows, :)
inline void gather_rows(const Matrix& from, const Indices& rows, Matrix& to) {
  for (Index c = 0; c < from.cols(); ++c)
    for (std::size_t r = 0; r < rows.size(); ++r) to(static_cast<Index>(r), c) = from(rows[r], c);
}

/// to = from(:, columns)
inline void gather_columns(const Matrix& from, const Indices& columns, Matrix& to) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    to.col(static_cast<Index>(c)) = from.col(columns[c]);
}

/// to(i) = from(places(i))
inline void gather(const double* from, const Indices& places, double* to) {
  for (std::size_t i = 0; i < places.size(); ++i) to[i] = from[places[i]];
}

/// to(places(i)) = from(i)
inline void scatter(const double* from, const Indices& places, double* to) {
  for (std::size_t i = 0; i < places.size(); ++i) to[places[i]] = from[i];
}

}  // namespace mkc
