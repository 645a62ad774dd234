#include "formats/text_table.hpp"

#include <optional>

#include <fmt/format.h>

#include "formats/cells.hpp"
#include "mkc/base/error.hpp"
#include "formats/text_lines.hpp"

namespace mkc::io {

namespace {

std::optional<std::string_view> next_line(TextLines& lines) {
  while (const auto line = lines.next())
    if (!line->starts_with('#') && line->find_first_not_of(" \t") != std::string_view::npos)
      return line;
  return std::nullopt;
}

Strings cells_of(const TextLines& lines, std::string_view line, Delimiter delimiter) {
  Strings cells;
  for (CellReader reader(line, delimiter); !reader.done();) {
    const auto cell = reader.text();
    if (!cell)
      throw InputError(fmt::format("{}, line {}, cell {}: the quotes do not match", lines.path(),
                                   lines.number(), cells.size() + 1));
    cells.emplace_back(*cell);
  }
  return cells;
}

}  // namespace

TextTable read_text_table(const std::string& path) {
  TextLines lines(path);
  const auto first = next_line(lines);
  if (!first) throw InputError(fmt::format("{}: the file is empty", path));
  const Delimiter delimiter = recognise_delimiter(*first).value_or(Delimiter::blanks);
  TextTable table;
  table.header = cells_of(lines, *first, delimiter);
  while (const auto line = next_line(lines)) {
    Strings cells = cells_of(lines, *line, delimiter);
    // R writes row names in front of the cells, and nothing above them.
    if (cells.size() == table.header.size() + 1) cells.erase(cells.begin());
    if (cells.size() != table.header.size())
      throw InputError(fmt::format("{}, line {}: {} cells, the header has {}", path, lines.number(),
                                   cells.size(), table.header.size()));
    table.rows.push_back(std::move(cells));
    table.lines.push_back(lines.number());
  }
  return table;
}

}  // namespace mkc::io
