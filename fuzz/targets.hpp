#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What fuzzing calls: the reader of each format on any bytes.
namespace mkc::fuzz {

/// The formats, which are also the folders of corpus/.
const std::vector<std::string>& formats();

/// Reads the bytes as a file of that format. An InputError is a good answer; anything else that is
/// thrown, a crash, or a sanitizer's finding is a fault of the reader. Returns whether the reader
/// accepted them.
bool read_as(std::string_view format, const std::uint8_t* data, std::size_t size);

}  // namespace mkc::fuzz
