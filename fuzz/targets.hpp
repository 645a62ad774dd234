#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// The reader of each format, called on any bytes.
namespace mkc::fuzz {

/// Reads the bytes as a file of that format (a folder of corpus/). An InputError is a good answer;
/// anything else that is thrown, a crash, or a sanitizer's finding is a fault of the reader.
/// Returns whether the reader accepted them.
bool read_as(std::string_view format, const std::uint8_t* data, std::size_t size);

}  // namespace mkc::fuzz
