#pragma once

#include "formats/files.hpp"
#include "formats/npy.hpp"

namespace mkc::io {

/// Reads an array and all bytes of its source.
Array decode_npy(const ByteSource& source, const std::string& where);

/// Words as a whole NPY file.
std::string encode_npy(const Strings& words);

/// A matrix as an NPY file in two parts, the second being its own memory.
std::string npy_header_of(const Matrix& values);
std::string_view bytes_of(const Matrix& values);

}  // namespace mkc::io
