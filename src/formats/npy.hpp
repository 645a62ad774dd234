#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// A NumPy array: numbers of any type as double, or words (UTF-8). Arrays of zero, one and two
/// dimensions hold their values (one dimension: n x 1); larger ones hold their shape only.
struct Array {
  Indices shape;
  std::variant<Matrix, Strings> values;

  bool is_text() const { return std::holds_alternative<Strings>(values); }
};

/// "(3, 4)"
std::string format_shape(const Indices& shape);

/// Reads the NPY format, versions 1 to 3, C and Fortran order: floats of 4 and 8 bytes, integers of
/// 1 to 8 bytes, booleans, U and S words. Every length is checked before memory is allocated.
/// `where` names the source in messages. Object arrays (pickles) are refused.
Array parse_npy(std::string_view bytes, const std::string& where);
Array read_npy(const std::string& path);

/// The values as a matrix or words; InputError naming the shape where they are not.
Matrix take_matrix(Array&& array, const std::string& where);
Strings take_strings(Array&& array, const std::string& where);

/// Words as they are, whole numbers as text: ids of samples.
Strings take_ids(Array&& array, const std::string& where);

}  // namespace mkc::io
