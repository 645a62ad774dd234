#include "formats/npy.hpp"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/files.hpp"
#include "formats/npy_decode.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

[[noreturn]] void refuse_shape(const Array& array, const std::string& where,
                               const std::string& needed, const std::string& hint = {}) {
  throw InputError(
      fmt::format("{}: {} of shape {}, {} is needed", where, array.is_text() ? "text" : "numbers",
                  format_shape(array.shape), needed),
      hint);
}

}  // namespace

std::string format_shape(const Indices& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

Array parse_npy(std::string_view bytes, const std::string& where) {
  const auto read = [rest = bytes](char* to, std::size_t count) mutable {
    if (count > 0) std::memcpy(to, rest.data(), count);
    rest.remove_prefix(count);
  };
  return decode_npy({bytes.size(), read}, where);
}

Array read_npy(const std::string& path) { return decode_npy(file_bytes(path), path); }

Matrix take_matrix(Array&& array, const std::string& where) {
  if (array.is_text() || array.shape.size() != 2)
    refuse_shape(array, where, "a matrix of numbers",
                 array.shape.size() == 1 ? "make one column of it: array.reshape(-1, 1)"
                 : array.shape.size() == 3
                     ? "save one matrix per view: numpy.savez(PATH, a=x[0], ...)"
                     : "");
  return std::move(std::get<Matrix>(array.values));
}

Strings take_strings(Array&& array, const std::string& where) {
  if (!array.is_text() || array.shape.size() != 1) refuse_shape(array, where, "a list of words");
  return std::move(std::get<Strings>(array.values));
}

Strings take_ids(Array&& array, const std::string& where) {
  if (array.is_text() || array.shape.size() != 1) return take_strings(std::move(array), where);
  Strings ids;
  for (const double number : std::get<Matrix>(array.values).reshaped()) {
    if (!(std::fabs(number) <= 9007199254740992.0) || number != std::floor(number))
      refuse_shape(array, where, "a list of words or of whole numbers");
    ids.push_back(fmt::format("{}", static_cast<std::int64_t>(number)));
  }
  return ids;
}

}  // namespace mkc::io
