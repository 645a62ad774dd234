#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// A variable of a MATLAB file, or an element of a cell array.
struct MatArray {
  enum class Type { numbers, text, cells, other };

  Type type = Type::other;
  Indices shape;                // as MATLAB has it: at least two dimensions
  Matrix values;                // numbers (sparse ones too): (shape[0], product of the others)
  Strings text;                 // the rows of a char array, without trailing blanks
  std::vector<MatArray> cells;  // column by column
};

using MatVariables = std::vector<std::pair<std::string, MatArray>>;

constexpr int deepest_cell = 16;  // cells inside cells

/// The rows of a char array from its UTF-16 units or code points, which are stored column by
/// column.
Strings text_rows(const std::u32string& letters, Index rows);

/// "100 x 100 x 7"
std::string format_mat_shape(const Indices& shape);

/// Reads MATLAB files of version 5 to 7 (`save -v6`, `-v7`; scipy.io.savemat): numbers of every
/// type, logical and sparse matrices as double, char and cell arrays. Structs, objects and
/// functions come as Type::other. Complex numbers are an InputError. Every size is checked against
/// the bytes of the file before memory is allocated; messages name the byte.
MatVariables parse_mat5(std::string_view bytes, const std::string& where);

}  // namespace mkc::io
