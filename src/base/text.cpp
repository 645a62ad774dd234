#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "base/utf8.hpp"

namespace mkc {

Index edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment distance: d(i, j) for prefixes of length i and j, three rows kept.
  const std::size_t width = b.size() + 1;
  std::vector<Index> before(width), previous(width), current(width);
  for (std::size_t j = 0; j < width; ++j) previous[j] = static_cast<Index>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<Index>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const Index replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[width - 1];
}

namespace {

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

std::string closest(std::string_view word, const Strings& candidates) {
  std::string best;
  // A third of the letters may be wrong, and at least one.
  Index best_distance = std::max<Index>(1, static_cast<Index>(word.size()) / 3) + 1;
  for (const auto& candidate : candidates) {
    // A wrong case is the smallest mistake, but a mistake.
    const Index distance = same_but_for_case(word, candidate) ? 1 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const Strings& candidates) {
  const std::string best = closest(word, candidates);
  return best.empty() ? "" : fmt::format(" (did you mean '{}'?)", shown(best));
}

std::string join(const Strings& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

bool parse_number(std::string_view text, double& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::string format_number(double value) { return fmt::format("{}", value); }

Strings split(std::string_view text, char separator) {
  Strings parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

namespace {

/// What moves the cursor, colours, ends a line or turns the direction of writing: control
/// characters (C0, DEL, C1), line and paragraph separators, bidirectional marks, the byte order
/// mark.
bool steers_terminal(char32_t c) {
  const auto between = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return c < 0x20 || between(0x7f, 0x9f) || c == 0x061c || between(0x200e, 0x200f) ||
         between(0x2028, 0x202e) || between(0x2066, 0x2069) || c == 0xfeff;
}

/// Escapes are those of JSON, so that escaped JSON is still the same JSON.
std::string escaped(char32_t c) {
  if (c == '\n') return "\\n";
  if (c == '\r') return "\\r";
  if (c == '\t') return "\\t";
  return fmt::format("\\u{:04x}", static_cast<unsigned>(c));
}

template <class Keep>
std::string with_escapes(std::string_view text, Keep keep) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto [code, bytes] = first_code_point(text);
    if (bytes == 0)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (steers_terminal(code) && !keep(code))
      result += escaped(code);
    else
      result += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) {
  return with_escapes(text, [](char32_t) { return false; });
}

std::string printable_lines(std::string_view text) {
  return with_escapes(text, [](char32_t c) { return c == '\n' || c == '\t'; });
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest_shown = 60;
  if (text.size() <= longest_shown) return printable(text);
  // A character of several bytes is not cut in its middle.
  std::size_t end = longest_shown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return printable(text.substr(0, end)) + "...";
}

std::string shown(const Strings& names) {
  constexpr std::size_t many = 20;
  Strings words;
  for (std::size_t i = 0; i < std::min(many, names.size()); ++i) words.push_back(shown(names[i]));
  if (names.size() > many) words.emplace_back("...");
  return join(words);
}

std::string first_of(const Strings& names) {
  constexpr std::size_t many = 3;
  Strings quoted;
  for (std::size_t i = 0; i < std::min(many, names.size()); ++i)
    quoted.push_back(fmt::format("'{}'", shown(names[i])));
  return join(quoted) + (names.size() > many ? ", ..." : "");
}

}  // namespace mkc
