#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// The header of an NPY file.
struct NpyHeader {
  char kind = 'f';  // f, i, u, b (boolean), U, S
  bool big_endian = false;
  std::uint64_t item_size = 8;  // bytes
  bool fortran_order = false;
  Indices shape;
  std::uint64_t count = 0;  // product of the shape; count * item_size does not overflow
};

constexpr std::size_t npy_first_bytes = 8;  // magic and version, which give the size of the prelude
constexpr std::size_t npy_longest_prelude = 12;

/// Size of the prelude (magic, version, header length) from its first eight bytes; InputError where
/// this is not NPY.
std::size_t npy_prelude_size(std::string_view first_bytes, const std::string& where);

/// Length of the dictionary after the prelude.
std::uint64_t npy_header_length(std::string_view prelude);

/// The dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
NpyHeader parse_npy_header(std::string_view dictionary, const std::string& where);

/// Everything before the data of a new file (version 1), padded so that the data begin at a
/// multiple of 64 bytes. For shapes of a few dimensions.
std::string make_npy_header(const std::string& descr, bool fortran_order, const Indices& shape);

}  // namespace mkc::io
