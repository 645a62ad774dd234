#include "mkc/files/sample_map.hpp"

#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "formats/cells.hpp"
#include "formats/text_lines.hpp"
#include "formats/text_table.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr const char* map_layout =
    "a sample map is a table with the columns assay (view), primary (sample) and colname (the id "
    "in the view's file)";

void check_cell(const std::string& path, Index line, const char* name, const std::string& cell) {
  if (cell.empty())
    throw InputError(fmt::format("{}, line {}: the cell '{}' is empty", path, line, name),
                     map_layout);
  if (!is_utf8(cell))
    throw InputError(fmt::format("{}, line {}: the cell '{}' is not UTF-8 text", path, line, name),
                     utf8_hint);
}

// A colname has one primary.
void check_colnames(const SampleMap& map) {
  std::map<std::pair<std::string, std::string>, const SampleMap::Row*> seen;
  for (const auto& row : map.rows) {
    const auto [earlier, is_new] = seen.emplace(std::pair(row.assay, row.colname), &row);
    if (!is_new)
      throw InputError(
          fmt::format("{}, line {}: '{}' of assay '{}' is already in line {}{}", map.path, row.line,
                      shown(row.colname), shown(row.assay), earlier->second->line,
                      earlier->second->primary == row.primary
                          ? ""
                          : fmt::format(", as sample '{}'", shown(earlier->second->primary))),
          "give every colname of an assay one row");
  }
}

bool is_list_header(const std::string& word) {
  for (const char* header : {"sample", "samples", "id", "primary"})
    if (word == header) return true;
  return false;
}

}  // namespace

SampleMap read_sample_map(const std::string& path) {
  const TextTable table = read_text_table(path);
  const std::size_t assay = column_of(table, "assay", map_layout),
                    primary = column_of(table, "primary", map_layout),
                    colname = column_of(table, "colname", map_layout);
  SampleMap map{path, {}};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Strings& cells = table.rows[i];
    const Index line = table.lines[i];
    check_cell(path, line, "assay", cells[assay]);
    check_cell(path, line, "primary", cells[primary]);
    check_cell(path, line, "colname", cells[colname]);
    map.rows.push_back({cells[assay], cells[primary], cells[colname], line});
  }
  if (map.rows.empty())
    throw InputError(fmt::format("{}: a header, but no rows follow it", path), map_layout);
  check_colnames(map);
  return map;
}

Strings read_sample_list(const std::string& path) {
  TextLines lines(path);
  Strings ids;
  std::map<std::string, Index> line_of;
  while (const auto line = lines.next_row()) {
    // Ids may hold blanks: without a tab, comma or semicolon the whole line is one id.
    CellReader reader(*line, recognise_delimiter(*line).value_or(Delimiter::tab));
    const auto cell = reader.text();
    if (!cell || cell->empty() || !is_utf8(*cell))
      throw InputError(lines.place() + ": this is not a sample id",
                       "a list of samples has one id per line, in UTF-8");
    const std::string id(*cell);
    if (ids.empty() && is_list_header(id)) continue;
    const auto [earlier, is_new] = line_of.emplace(id, lines.number());
    if (!is_new)
      throw InputError(fmt::format("{}: sample '{}' is already in line {}", lines.place(),
                                   shown(id), earlier->second),
                       "name every sample once");
    ids.push_back(id);
  }
  if (ids.empty())
    throw InputError(fmt::format("{}: no sample ids found", path), "write one id per line");
  return ids;
}

}  // namespace mkc::io
