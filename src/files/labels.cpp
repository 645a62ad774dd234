#include "files/labels.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include "formats/cells.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"
#include "formats/text_lines.hpp"
#include "base/text.hpp"

namespace mkc::io {

namespace {

struct Row {
  Index line;
  Strings cells;
};

// The lines that hold cells, header first.
std::vector<Row> read_rows(const std::string& path) {
  TextLines lines(path);
  std::vector<Row> rows;
  Delimiter delimiter = Delimiter::blanks;
  while (const auto line = lines.next()) {
    if (line->starts_with('#') || line->find_first_not_of(" \t") == std::string_view::npos)
      continue;
    if (rows.empty()) delimiter = recognise_delimiter(*line).value_or(Delimiter::blanks);
    Row row{lines.number(), {}};
    for (CellReader reader(*line, delimiter); !reader.done();) {
      const auto cell = reader.text();
      if (!cell)
        throw InputError(fmt::format("{}, line {}, cell {}: the quotes do not match", path,
                                     lines.number(), row.cells.size() + 1));
      row.cells.emplace_back(*cell);
    }
    rows.push_back(std::move(row));
  }
  if (rows.size() < 2)
    throw InputError(fmt::format("{}: there are no labels in it", path),
                     "a header line, then one line per sample: its id and its class");
  return rows;
}

// Which cell of a row holds the class. As R writes it, the header may be one cell shorter.
std::size_t class_cell(const std::vector<Row>& rows, const LabelSource& source) {
  const std::size_t width = rows[1].cells.size();
  Strings names = rows[0].cells;
  if (names.size() == width && !names.empty()) names.erase(names.begin());
  if (width < 2 || names.size() + 1 != width)
    throw InputError(
        fmt::format("{}, line {}: {} cells, but the header has {}", source.path, rows[1].line,
                    width, rows[0].cells.size()),
        "a label table has the sample ids in its first column, the classes in another");
  if (source.column.empty()) {
    if (names.size() == 1) return 1;
    throw InputError(
        fmt::format("{} has {} columns: {}", source.path, names.size(), shown(join(names))),
        {{"labels", source.path + ":" + names.front(), "names the one that holds the classes"}});
  }
  const auto found = std::find(names.begin(), names.end(), source.column);
  if (found == names.end())
    throw InputError(fmt::format("{} has no column '{}'{}", source.path, source.column,
                                 suggestion(source.column, names)),
                     fmt::format("its columns are {}", join(names)));
  return static_cast<std::size_t>(found - names.begin()) + 1;
}

// A table of patients may know more of them than the views do; where it knows none of theirs, the
// ids are written differently.
void tell_strangers(const std::vector<const Row*>& strangers, const std::string& path,
                    const Strings& samples, std::size_t known, Strings& notices) {
  const std::string& first = strangers.front()->cells[0];
  const Index line = strangers.front()->line;
  if (known == 0)
    throw InputError(
        fmt::format(
            "{}, line {}: a label for '{}', but no view has that sample{}, nor any other in "
            "this file",
            path, line, shown(first), suggestion(first, samples)),
        "check that the ids are written as in the views");
  notices.push_back(
      fmt::format("{}: {} of {} lines are of samples that no view has, the first in "
                  "line {}: '{}'{}; they are left out",
                  path, strangers.size(), strangers.size() + known, line, shown(first),
                  suggestion(first, samples)));
}

}  // namespace

LabelSource parse_label_source(const std::string& text) {
  const auto colon = text.rfind(':');
  std::error_code ignored;
  if (colon == std::string::npos || std::filesystem::exists(text, ignored)) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

Labels read_labels(const LabelSource& source, const Strings& samples, Strings& notices) {
  require_file(source.path);
  const std::vector<Row> rows = read_rows(source.path);
  const std::size_t column = class_cell(rows, source);
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < samples.size(); ++i) place.emplace(samples[i], i);

  Strings texts(samples.size());
  Indices line_of(samples.size(), 0);
  std::vector<const Row*> strangers;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const auto& [line, cells] = rows[r];
    if (cells.size() != rows[1].cells.size())
      throw InputError(fmt::format("{}, line {}: {} cells, the lines above have {}", source.path,
                                   line, cells.size(), rows[1].cells.size()));
    const auto found = place.find(cells[0]);
    if (found == place.end()) {
      if (!is_missing_word(cells[column])) strangers.push_back(&rows[r]);
      continue;
    }
    const std::size_t i = found->second;
    if (line_of[i] > 0)
      throw InputError(fmt::format("{}, line {}: sample '{}' has a label in line {} already",
                                   source.path, line, shown(cells[0]), line_of[i]));
    line_of[i] = line;
    if (!is_missing_word(cells[column])) texts[i] = cells[column];
  }
  const auto known = static_cast<std::size_t>(
      std::count_if(line_of.begin(), line_of.end(), [](Index line) { return line > 0; }));
  if (!strangers.empty()) tell_strangers(strangers, source.path, samples, known, notices);
  return make_labels(texts);
}

}  // namespace mkc::io
