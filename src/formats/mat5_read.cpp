#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "formats/dense_size.hpp"
#include "formats/mat.hpp"
#include "formats/mat5_bytes.hpp"
#include "formats/number_bytes.hpp"
#include "formats/sparse.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::size_t most_dimensions = 32;

/// Reads the elements of one variable.
class ArrayReader {
 public:
  ArrayReader(std::string_view bytes, std::uint64_t first_byte, const std::string& where)
      : elements_(bytes, first_byte, where), where_(where) {}

  std::pair<std::string, MatArray> read(int depth) {
    if (elements_.done())
      return {"", MatArray{MatArray::Type::numbers, {0, 0}, Matrix(0, 0), {}, {}}};
    read_flags();
    MatArray array;
    if (class_ == mx_opaque) return {"", array};
    read_shape(array);
    const Mat5Element name = elements_.next();
    std::string text(name.data);
    if (!is_utf8(text)) elements_.fail("the name of a variable is not UTF-8 text");
    if (class_ == mx_cell) read_cells(array, depth);
    if (class_ == mx_char) read_text(array);
    if (class_ == mx_sparse) read_sparse(array);
    if (class_ >= mx_double && class_ <= mx_uint64) read_numbers(array);
    return {std::move(text), std::move(array)};
  }

 private:
  void read_flags() {
    const Mat5Element flags = elements_.next();
    if (flags.type != mi_uint32 || flags.data.size() != 8) elements_.fail("array flags expected");
    std::uint32_t word = 0;
    std::memcpy(&word, flags.data.data(), sizeof(word));
    class_ = word & 0xff;
    is_complex_ = (word & 0x0800) != 0;
  }

  void read_shape(MatArray& array) {
    const Mat5Element shape = elements_.next();
    const std::size_t dimensions = shape.data.size() / sizeof(std::int32_t);
    if (shape.type != mi_int32 || dimensions < 2 || dimensions > most_dimensions)
      elements_.fail("the dimensions of an array expected");
    count_ = 1;
    for (std::size_t i = 0; i < dimensions; ++i) {
      std::int32_t size = 0;
      std::memcpy(&size, shape.data.data() + i * sizeof(size), sizeof(size));
      if (size < 0) elements_.fail(fmt::format("a dimension of {}", size));
      array.shape.push_back(size);
      if (size > 0 && count_ > std::numeric_limits<std::uint64_t>::max() / 16 /
                                   static_cast<std::uint64_t>(size))
        elements_.fail(fmt::format("an array of {}", format_mat_shape(array.shape)));
      count_ *= static_cast<std::uint64_t>(size);
    }
  }

  void refuse_complex() const {
    if (is_complex_)
      throw InputError(fmt::format("{}: holds complex numbers", elements_.place()),
                       "save its real part: x = real(x)");
  }

  /// The next element, which holds numbers of one type.
  Mat5Element next_numbers(const char* what) {
    const Mat5Element element = elements_.next();
    if (mat5_number(element.type).size == 0)
      elements_.fail(fmt::format("{} of type {}", what, element.type));
    return element;
  }

  void convert(const Mat5Element& element, std::uint64_t count, double* to) const {
    const Mat5Number number = mat5_number(element.type);
    number_converter(number.kind, number.size)(element.data.data(), count, to);
  }

  void read_numbers(MatArray& array) {
    refuse_complex();
    const Mat5Element element = next_numbers("values");
    const std::uint64_t size = mat5_number(element.type).size;
    if (element.data.size() != count_ * size)
      elements_.fail(fmt::format("values: {} bytes for {} numbers of {} bytes", element.data.size(),
                                 count_, size));
    check_dense_size(count_, 1, elements_.place());
    const Index rows = array.shape[0];
    array.type = MatArray::Type::numbers;
    array.values.resize(rows, rows == 0 ? 0 : static_cast<Index>(count_) / rows);
    convert(element, count_, array.values.data());
  }

  Vector read_vector(const char* what) {
    const Mat5Element element = next_numbers(what);
    const std::uint64_t count = element.data.size() / mat5_number(element.type).size;
    check_dense_size(count, 1, elements_.place());
    Vector numbers(static_cast<Index>(count));
    convert(element, count, numbers.data());
    return numbers;
  }

  void read_sparse(MatArray& array) {
    refuse_complex();
    const Vector row_of = read_vector("row indices"), starts = read_vector("column starts");
    const Vector values = read_vector("values");
    if (array.shape.size() != 2 || starts.size() != array.shape[1] + 1)
      elements_.fail(fmt::format("{} column starts for a sparse matrix of {}", starts.size(),
                                 format_mat_shape(array.shape)));
    array.type = MatArray::Type::numbers;
    array.values = dense_from_columns(static_cast<double>(array.shape[0]), starts, row_of, values,
                                      elements_.place());
  }

  void read_cells(MatArray& array, int depth) {
    if (depth >= deepest_cell) elements_.fail("cells nested too deeply");
    if (count_ > elements_.left() / 8)
      elements_.fail(fmt::format("{} cells in {} bytes", count_, elements_.left()));
    check_memory(static_cast<double>(count_ * sizeof(MatArray)),
                 fmt::format("{}: {} cells", elements_.place(), count_));
    array.type = MatArray::Type::cells;
    for (std::uint64_t i = 0; i < count_; ++i) {
      const Mat5Element element = elements_.next();
      if (element.type != mi_matrix) elements_.fail("a cell of an unknown type");
      array.cells.push_back(ArrayReader(element.data, element.byte, where_).read(depth + 1).second);
    }
  }

  void read_text(MatArray& array) {
    const Mat5Element element = elements_.next();
    // at worst each letter is a line
    check_memory(
        static_cast<double>(element.data.size() * (sizeof(char32_t) + sizeof(std::string))),
        fmt::format("{}: {} bytes of text", elements_.place(), element.data.size()));
    const std::u32string letters = decode(element);
    if (array.shape.size() != 2 || letters.size() != count_)
      elements_.fail(
          fmt::format("{} letters for text of {}", letters.size(), format_mat_shape(array.shape)));
    array.type = MatArray::Type::text;
    array.text = text_rows(letters, array.shape[0]);
  }

  std::u32string decode(const Mat5Element& element) const {
    if (element.type == mi_utf8) return decode_utf8(element.data);
    const std::size_t size = element.type == mi_uint16 || element.type == mi_utf16   ? 2
                             : element.type == mi_uint32 || element.type == mi_utf32 ? 4
                             : element.type == mi_uint8 || element.type == mi_int8   ? 1
                                                                                     : 0;
    if (size == 0) elements_.fail(fmt::format("text of type {}", element.type));
    std::u32string letters;
    for (std::size_t at = 0; at + size <= element.data.size(); at += size) {
      std::uint32_t code = 0;
      std::memcpy(&code, element.data.data() + at, size);
      letters.push_back(code);
    }
    return letters;
  }

  Mat5Reader elements_;
  const std::string& where_;
  std::uint32_t class_ = 0;
  bool is_complex_ = false;
  std::uint64_t count_ = 0;
};

void check_header(std::string_view bytes, const std::string& where) {
  const std::string_view mark = bytes.size() < mat5_header_size ? "" : bytes.substr(126, 2);
  if (mark == "IM" && bytes[125] == 1) return;
  if (mark == "MI")
    throw InputError(where + ": big-endian MATLAB files are not supported",
                     "load and save it again with MATLAB, Octave or SciPy");
  if (bytes.starts_with("\x89HDF"))
    throw InputError(where + ": an HDF5 file, but not one that MATLAB wrote",
                     "name it .h5, .h5ad or .h5mu");
  throw InputError(
      fmt::format("{}: not a MATLAB file of version 5 or later ({} bytes)", where, bytes.size()),
      "save it with save -v7, or scipy.io.savemat");
}

}  // namespace

Strings text_rows(const std::u32string& letters, Index rows) {
  Strings text;
  for (std::size_t i = 0; i < at(rows) && !letters.empty(); ++i) {
    std::u32string units;
    for (std::size_t k = i; k < letters.size(); k += at(rows)) units += letters[k];
    std::string line = utf8_of_units(units);
    line.resize(line.find_last_not_of(std::string_view(" \0", 2)) + 1);
    text.push_back(std::move(line));
  }
  return text;
}

std::string format_mat_shape(const Indices& shape) {
  return fmt::format("{}", fmt::join(shape, " x "));
}

MatVariables parse_mat5(std::string_view bytes, const std::string& where) {
  check_header(bytes, where);
  MatVariables variables;
  Mat5Reader elements(bytes.substr(mat5_header_size), mat5_header_size, where);
  while (!elements.done()) {
    const Mat5Element element = elements.next();
    if (element.type == mi_matrix) {
      variables.push_back(ArrayReader(element.data, element.byte, where).read(0));
    } else if (element.type == mi_compressed) {
      const Inflated inner = inflate_mat5(element, where);
      const std::string place =
          fmt::format("{}, variable compressed at byte {}", where, element.byte);
      variables.push_back(ArrayReader(inner.text(), 8, place).read(0));
    }
  }
  return variables;
}

}  // namespace mkc::io
