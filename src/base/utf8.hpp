#pragma once

#include <string>
#include <string_view>

namespace mkc {

bool is_utf8(std::string_view text);

/// The hint for text that is not.
inline constexpr const char* utf8_hint = "convert it: iconv -f latin1 -t utf8 OLD > NEW";

/// The text with ASCII letters in lower case.
std::string lower(std::string_view text);

struct CodePoint {
  char32_t value;     // U+FFFD where the text is not UTF-8
  std::size_t bytes;  // 0 where the text is not UTF-8
};

/// The code point at the front of a text that is not empty (RFC 3629: shortest form, no
/// surrogates).
CodePoint first_code_point(std::string_view text);

/// Code points of a text; a byte that is not UTF-8 becomes U+FFFD.
std::u32string decode_utf8(std::string_view text);

/// Text of UTF-16 units or of code points; pairs of surrogates are joined, anything else becomes
/// U+FFFD.
std::string utf8_of_units(const std::u32string& units);

/// Appends one code point (at most 0x10FFFF).
void append_utf8(std::string& text, char32_t code_point);

}  // namespace mkc
