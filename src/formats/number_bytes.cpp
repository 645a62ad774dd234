#include "formats/number_bytes.hpp"

#include <bit>
#include <cstring>

namespace mkc::io {

static_assert(std::endian::native == std::endian::little,
              "numbers of files are little-endian and copied as they are");

namespace {

template <class T>
void convert(const char* from, std::uint64_t count, double* to) {
  for (std::uint64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    to[i] = static_cast<double>(value);
  }
}

}  // namespace

NumberConverter number_converter(char kind, std::uint64_t size) {
  if (kind == 'f') return size == 4 ? convert<float> : convert<double>;
  if (kind == 'i')
    return size == 1   ? convert<std::int8_t>
           : size == 2 ? convert<std::int16_t>
           : size == 4 ? convert<std::int32_t>
                       : convert<std::int64_t>;
  return size == 1   ? convert<std::uint8_t>
         : size == 2 ? convert<std::uint16_t>
         : size == 4 ? convert<std::uint32_t>
                     : convert<std::uint64_t>;
}

}  // namespace mkc::io
