#include "formats/cells.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "formats/dense_size.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

std::optional<Delimiter> recognise_delimiter(std::string_view line) {
  int tabs = 0, commas = 0, semicolons = 0;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    tabs += c == '\t';
    commas += c == ',';
    semicolons += c == ';';
  }
  if (tabs > 0) return Delimiter::tab;
  if (commas + semicolons == 0) return std::nullopt;
  return commas >= semicolons ? Delimiter::comma : Delimiter::semicolon;
}

bool is_missing_word(std::string_view cell) {
  for (const std::string_view word : {"", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"})
    if (cell == word) return true;
  return false;
}

bool is_comment_or_blank(std::string_view line) {
  return line.starts_with('#') || line.find_first_not_of(" \t") == std::string_view::npos;
}

Strings cells_of(std::string_view line, Delimiter delimiter, const std::string& place) {
  constexpr std::size_t too_short_to_ask = 1 << 20;
  if (line.size() > too_short_to_ask) {
    const auto count = 1 + std::count(line.begin(), line.end(), static_cast<char>(delimiter));
    check_memory(static_cast<double>(count) * sizeof(std::string),
                 fmt::format("{}: {} cells", place, count));
  }
  Strings cells;
  for (CellReader reader(line, delimiter); !reader.done();) {
    const auto cell = reader.text();
    if (!cell) refuse_quotes(fmt::format("{}, cell {}", place, cells.size() + 1));
    cells.emplace_back(*cell);
  }
  return cells;
}

void refuse_quotes(const std::string& place) {
  throw InputError(place + ": the quotes do not match",
                   "a quoted cell ends on its own line; write a quote inside it twice (\"\")");
}

CellReader::CellReader(std::string_view line, Delimiter delimiter)
    : at_(line.data()), end_(line.data() + line.size()), delimiter_(delimiter) {
  if (delimiter_ == Delimiter::blanks) {
    skip_blanks();
    done_ = at_ == end_;
  }
}

namespace {

/// [-]digits[.digits] of at most 15 digits from `at` on: where it ends, or null where the text is
/// anything else. Digits and power of ten are exact as double, so their quotient is rounded once
/// and is what from_chars gives (Clinger 1990), in half the time.
const char* plain_decimal(const char* at, const char* end, double& value) {
  static constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr std::ptrdiff_t most_digits = 15;
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::int64_t digits = 0;
  const auto take_digits = [&](const char* from) {
    while (from != end && *from >= '0' && *from <= '9' && from - at <= most_digits + 1)
      digits = 10 * digits + (*from++ - '0');
    return from;
  };
  const char* stop = take_digits(at);
  const char* point = stop;
  if (stop == at) return nullptr;
  if (stop != end && *stop == '.') stop = take_digits(stop + 1);
  const std::ptrdiff_t decimals = stop == point ? 0 : stop - point - 1;
  if (point - at + decimals > most_digits || (stop != point && decimals == 0)) return nullptr;
  value = static_cast<double>(digits) / powers[decimals];
  if (negative) value = -value;
  return stop;
}

}  // namespace

bool CellReader::number(double& value) {
  if (const char* stop = plain_decimal(at_, end_, value); stop != nullptr && ends_cell(stop)) {
    at_ = stop;
    pass_delimiter();
    return true;
  }
  const auto [stop, error] = std::from_chars(at_, end_, value);
  if (error != std::errc() || !ends_cell(stop)) return false;
  at_ = stop;
  pass_delimiter();
  return true;
}

std::optional<std::string_view> CellReader::text() {
  skip_blanks();
  if (at_ != end_ && *at_ == '"') return quoted_text();
  const char* begin = at_;
  while (!ends_cell(at_)) ++at_;
  const char* stop = at_;
  while (stop != begin && is_blank(stop[-1])) --stop;
  pass_delimiter();
  return std::string_view(begin, static_cast<std::size_t>(stop - begin));
}

bool CellReader::ends_cell(const char* at) const {
  if (at == end_) return true;
  return delimiter_ == Delimiter::blanks ? is_blank(*at) : *at == static_cast<char>(delimiter_);
}

void CellReader::skip_blanks() {
  while (at_ != end_ && is_blank(*at_)) ++at_;
}

/// From the end of a cell to the start of the next one. "a," has a second, empty cell.
void CellReader::pass_delimiter() {
  if (at_ == end_) {
    done_ = true;
  } else if (delimiter_ != Delimiter::blanks) {
    ++at_;
  } else {
    skip_blanks();
    done_ = at_ == end_;
  }
}

std::optional<std::string_view> CellReader::quoted_text() {
  unquoted_.clear();
  for (++at_;; ++at_) {
    if (at_ == end_) return std::nullopt;
    if (*at_ == '"') {
      const bool doubled = at_ + 1 != end_ && at_[1] == '"';
      if (!doubled) break;
      ++at_;
    }
    unquoted_ += *at_;
  }
  ++at_;
  if (delimiter_ != Delimiter::blanks) skip_blanks();
  if (!ends_cell(at_)) return std::nullopt;
  pass_delimiter();
  return unquoted_;
}

}  // namespace mkc::io
