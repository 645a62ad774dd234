#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// Records of the ZIP format (APPNOTE 6.3.10, sections 4.3 and 4.5): how each begins and how long
/// it is without the texts at its end. All numbers are little-endian.
namespace mkc::io::zip {

inline constexpr std::string_view local_mark = "PK\3\4", central_mark = "PK\1\2",
                                  end_mark = "PK\5\6", end64_mark = "PK\6\6",
                                  locator_mark = "PK\6\7";
inline constexpr std::size_t local_size = 30, central_size = 46, end_size = 22, end64_size = 56,
                             locator_size = 20;

inline constexpr std::uint32_t stored = 0, deflated = 8;  // methods
inline constexpr std::uint32_t encrypted_flag = 1, utf8_flag = 1 << 11;
inline constexpr std::uint64_t wide = 1;  // extra field of ZIP64
inline constexpr std::uint64_t full = 0xFFFFFFFF,
                               full_count = 0xFFFF;  // the number is in that field

inline std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

}  // namespace mkc::io::zip
