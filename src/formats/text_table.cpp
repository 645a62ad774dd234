#include "formats/text_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/cells.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

TextTable read_text_table(const std::string& path) { return read_text_table(TextLines(path)); }

TextTable read_text_table(TextLines lines) {
  const std::string path = lines.path();
  const auto first = lines.next_row();
  if (!first) throw InputError(fmt::format("{}: the file is empty", path));
  const Delimiter delimiter = recognise_delimiter(*first).value_or(Delimiter::blanks);
  TextTable table{path, cells_of(*first, delimiter, lines.place()), {}, {}};
  while (const auto line = lines.next_row()) {
    Strings cells = cells_of(*line, delimiter, lines.place());
    if (table.rows.empty() && cells.size() == table.header.size() + 1)
      table.header.emplace(table.header.begin());
    if (cells.size() != table.header.size())
      throw InputError(fmt::format("{}: {} cells instead of {}", lines.place(), cells.size(),
                                   table.header.size()));
    table.rows.push_back(std::move(cells));
    table.lines.push_back(lines.number());
  }
  return table;
}

std::size_t column_of(const TextTable& table, const std::string& name, const std::string& hint,
                      std::size_t first) {
  const auto begin = table.header.begin() + static_cast<std::ptrdiff_t>(first);
  const auto found = std::find(begin, table.header.end(), name);
  if (found != table.header.end()) return static_cast<std::size_t>(found - table.header.begin());
  const Strings names(begin, table.header.end());
  throw InputError(fmt::format("{} has no column '{}'{}; its columns are {}", table.path,
                               shown(name), suggestion(name, names), shown(names)),
                   hint);
}

}  // namespace mkc::io
