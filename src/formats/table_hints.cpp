#include "formats/table_hints.hpp"

#include "base/utf8.hpp"

namespace mkc::io {

Hint cell_hint(std::string_view cell) {
  if (cell.find(',') != std::string_view::npos) return "write decimals with a point: 0.5, not 0,5";
  const std::string word = lower(cell);
  if (word == "true" || word == "false") return "write 1 for true and 0 for false";
  if (word.ends_with('%')) return "write percentages as numbers, without the percent sign";
  return {"missing values are NA or empty", {"na_values", "WORDS", "gives other words for them"}};
}

std::string no_rows_hint(std::string_view header) {
  return header.find('\r') == std::string_view::npos
             ? "one row per sample is needed"
             : "its lines end with a carriage return only: save it with Unix or Windows line ends";
}

std::string foreign_kind(std::string_view first_line) {
  if (first_line.starts_with("PK\x03\x04")) return "a ZIP archive or a spreadsheet";
  const std::string start = lower(first_line.substr(0, 14));
  if (start.starts_with("<!doctype html") || start.starts_with("<html")) return "a web page";
  return {};
}

}  // namespace mkc::io
