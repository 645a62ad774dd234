#pragma once

#include <string>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// A sparse matrix in compressed columns as a dense one: the entries of column j are starts[j] to
/// starts[j + 1] - 1, each with a row and a value; entries of one cell are added. Everything is
/// checked; InputError begins with `where`. Of compressed rows, which are read as columns of the
/// `transposed` matrix, messages speak as the file does.
Matrix dense_from_columns(double rows, const Vector& starts, const Vector& row_of,
                          const Vector& values, const std::string& where, bool transposed = false);

}  // namespace mkc::io
