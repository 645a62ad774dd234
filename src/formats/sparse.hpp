#pragma once

#include <string>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// A sparse matrix in compressed columns as a dense one: the entries of column j are starts[j] to
/// starts[j + 1] - 1, each with a row and a value; entries of one place are added. All indices
/// are checked; InputError begins with `where`. For compressed rows, which are read as columns of
/// the `transposed` matrix, messages name rows and columns as the file has them.
Matrix dense_from_columns(double rows, const Vector& starts, const Vector& row_of,
                          const Vector& values, const std::string& where, bool transposed = false);

}  // namespace mkc::io
