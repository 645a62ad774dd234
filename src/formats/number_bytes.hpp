#pragma once

#include <cstdint>

namespace mkc::io {

/// Converts `count` numbers of a little-endian file to doubles.
using NumberConverter = void (*)(const char* from, std::uint64_t count, double* to);

/// Kind 'f' (4 or 8 bytes), 'i' or 'u' (1, 2, 4 or 8 bytes); any other kind is read as 'u'.
NumberConverter number_converter(char kind, std::uint64_t item_size);

}  // namespace mkc::io
