#pragma once

#include "formats/files.hpp"
#include "formats/npy.hpp"
#include "formats/npy_header.hpp"

namespace mkc::io {

/// What precedes the data of an array.
struct NpyStart {
  NpyHeader header;
  std::uint64_t size;  // bytes before the data
};

/// Reads the start of an array; InputError unless the rest of its source is what it claims.
NpyStart read_npy_start(const ByteSource& source, const std::string& where);

/// Reverses the bytes of each of `count` items.
void swap_bytes(char* bytes, std::uint64_t count, std::uint64_t item_size);

/// Reads an array and all bytes of its source.
Array decode_npy(const ByteSource& source, const std::string& where);

/// Words as a whole NPY file.
std::string encode_npy(const Strings& words);

/// A matrix as an NPY file in two parts, the second being its own memory.
std::string npy_header_of(const Matrix& values);
std::string_view bytes_of(const Matrix& values);

}  // namespace mkc::io
