#include "files/labels.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/label_table.hpp"
#include "formats/cells.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/sample_ids.hpp"
#include "problem/tcga_barcode.hpp"

namespace mkc::io {

namespace {

constexpr const char* label_layout =
    "a label table has a header, the sample ids in its first column and the labels in another";

// The first column that looks like classes, with four samples or more for a value on average. A
// copy of the ids has another value for every sample.
std::string likely_classes(const TextTable& table) {
  for (std::size_t column = 1; column < table.header.size(); ++column) {
    std::unordered_set<std::string_view> values;
    std::size_t known = 0;
    for (const auto& row : table.rows)
      if (!is_missing_word(row[column])) {
        ++known;
        values.insert(row[column]);
      }
    if (values.size() > 1 && 4 * values.size() <= known) return table.header[column];
  }
  for (std::size_t column = 1; column < table.header.size(); ++column)
    if (std::any_of(table.rows.begin(), table.rows.end(),
                    [&](const Strings& row) { return row[column] != row[0]; }))
      return table.header[column];
  return table.header.back();
}

// Which cells of a row hold one label: the first of them that is not empty counts.
using Alternatives = std::vector<std::size_t>;

bool has_column(const TextTable& table, const std::string& name) {
  return std::find(table.header.begin() + 1, table.header.end(), name) != table.header.end();
}

// "A", "A,B" or "A+B": a column of that very name first, else its parts.
Strings parts_of(const TextTable& table, const std::string& text, char separator) {
  return has_column(table, text) ? Strings{text} : split(text, separator);
}

// The columns that hold the labels, with their names.
std::vector<std::pair<std::string, Alternatives>> label_columns(const TextTable& table,
                                                                const LabelSource& source) {
  if (table.header.size() < 2)
    throw InputError(
        fmt::format("{}: no labels beside the sample ids, its only column", source.path),
        label_layout);
  const Strings names(table.header.begin() + 1, table.header.end());
  if (source.column.empty() && names.size() == 1) return {{names[0], {1}}};
  if (source.column.empty())
    throw InputError(fmt::format("{} has {} columns: {}", source.path, names.size(), shown(names)),
                     {{"labels", source.path + ":" + likely_classes(table),
                       "names the one that holds the labels"}});
  std::vector<std::pair<std::string, Alternatives>> columns;
  for (const auto& name : parts_of(table, source.column, ',')) {
    Alternatives cells;
    for (const auto& part : parts_of(table, name, '+'))
      cells.push_back(column_of(table, part, label_layout, 1));
    columns.emplace_back(name, std::move(cells));
  }
  if (columns.size() > 2)
    throw InputError(fmt::format("{}: {} columns of labels", source.path, columns.size()),
                     "give one column, or two for survival: FILE:TIME,EVENT");
  return columns;
}

std::string label_in(const Strings& row, const Alternatives& cells) {
  for (const std::size_t cell : cells)
    if (!is_missing_word(row[cell])) return row[cell];
  return "";
}

// A rule by which the ids of the table are samples, where there is one.
Hint rule_for_labels(const TextTable& table, const Strings& samples) {
  std::vector<View> both(2);
  both[0].ids = both[0].all_ids = samples;
  for (const auto& row : table.rows) both[1].ids.push_back(row[0]);
  both[1].all_ids = both[1].ids;
  if (const auto proposal = propose_id_rule(both))
    return {{"ids", proposal->rule, "matches them: " + proposal->evidence}};
  return "check that the ids are spelled as in the views";
}

// Sample types, such as tumour and normal tissue, may have labels of their own.
Hint one_label_each(const std::string& id, const std::string& sample) {
  const auto barcode = parse_tcga_barcode(id);
  if (id == sample || !barcode || barcode->sample_type.empty())
    return "give every sample one row of labels";
  return {{"ids", "tcga-patient:01", "takes the labels of one sample type, here primary tumours"}};
}

// A table of patients may have more of them than the views. Where it has none of theirs, the ids
// are spelled differently.
void report_unknown(const TextTable& table, const std::vector<std::size_t>& unknown,
                    const Strings& samples, std::size_t known, Strings& notices) {
  const std::string& first = table.rows[unknown.front()][0];
  const Index line = table.lines[unknown.front()];
  if (known == 0)
    throw InputError(
        fmt::format("{}, line {}: no view has the sample '{}'{}, nor any other sample of this file",
                    table.path, line, shown(first), suggestion(first, samples)),
        rule_for_labels(table, samples));
  notices.push_back(fmt::format(
      "{}: {} of {} rows are left out because no view has their samples, the first in line {}: "
      "'{}'{}",
      table.path, unknown.size(), unknown.size() + known, line, shown(first),
      suggestion(first, samples)));
}

}  // namespace

LabelSource parse_label_source(const std::string& text) {
  std::error_code ignored;
  auto colon = text.rfind(':');
  if (colon == std::string::npos || std::filesystem::exists(text, ignored)) return {text, ""};
  // The column may hold colons too: the longest part that is a file is the path.
  for (auto other = colon; other != std::string::npos && other > 0;
       other = text.rfind(':', other - 1))
    if (std::filesystem::exists(text.substr(0, other), ignored)) {
      colon = other;
      break;
    }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

Strings label_ids(const std::string& text) {
  Strings ids;
  try {
    LabelSource source = parse_label_source(text);
    Strings ignored;
    for (auto& row : read_label_table(source, {}, ignored).rows) ids.push_back(std::move(row[0]));
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): reported where labels are read
  }
  return ids;
}

LabelTexts read_label_texts(const LabelSource& given, const Strings& samples, Strings& notices,
                            const IdRule& rule) {
  LabelSource source = given;
  const TextTable table = read_label_table(source, samples, notices);
  if (table.rows.empty())
    throw InputError(fmt::format("{}: a header, but no rows follow it", source.path), label_layout);
  const auto columns = label_columns(table, source);
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < samples.size(); ++i) place.emplace(samples[i], i);
  Strings ids;
  for (const auto& row : table.rows) ids.push_back(row[0]);
  ids = as_samples(std::move(ids), samples, rule);

  LabelTexts texts{source.path, {}, std::vector<Strings>(columns.size(), Strings(samples.size()))};
  for (const auto& column : columns) texts.names.push_back(column.first);
  Indices line_of(samples.size(), 0);
  std::vector<std::size_t> unknown;  // rows with a label of a sample that no view has
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Strings& row = table.rows[r];
    const auto found = place.find(ids[r]);
    if (found == place.end()) {
      if (!label_in(row, columns.front().second).empty()) unknown.push_back(r);
      continue;
    }
    const std::size_t i = found->second;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string own = label_in(row, columns[c].second);
      // Several aliquots of a sample may be listed, with the same label.
      if (line_of[i] > 0 && (ids[r] == row[0] || texts.columns[c][i] != own))
        throw InputError(fmt::format("{}, line {}: sample '{}' already has a label in line {}",
                                     source.path, table.lines[r], shown(ids[r]), line_of[i]),
                         one_label_each(row[0], ids[r]));
      texts.columns[c][i] = own;
    }
    line_of[i] = table.lines[r];
  }
  const auto known = static_cast<std::size_t>(
      std::count_if(line_of.begin(), line_of.end(), [](Index line) { return line > 0; }));
  if (!unknown.empty()) report_unknown(table, unknown, samples, known, notices);
  return texts;
}

Labels read_labels(const LabelSource& source, const Strings& samples, Strings& notices,
                   const IdRule& ids) {
  return std::get<Labels>(
      typed_labels(read_label_texts(source, samples, notices, ids), samples, "classes").target);
}

}  // namespace mkc::io
