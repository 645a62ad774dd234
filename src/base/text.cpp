#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

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

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return result;
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest_shown = 60;
  std::string result = printable(text.substr(0, longest_shown));
  // A character of several bytes is not cut in its middle.
  const auto is_continuation = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
  };
  if (text.size() <= longest_shown) return result;
  if (is_continuation(text[longest_shown])) {
    while (!result.empty() && is_continuation(result.back())) result.pop_back();
    if (!result.empty()) result.pop_back();
  }
  return result + "...";
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
