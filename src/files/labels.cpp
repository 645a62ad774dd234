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

namespace mkc::io {

namespace {

constexpr const char* label_layout =
    "a label table has a header, the sample ids in its first column and the classes in another";

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

// Which cell of a row holds the class.
std::size_t class_column(const TextTable& table, const LabelSource& source) {
  if (table.header.size() < 2)
    throw InputError(
        fmt::format("{}: no classes beside the sample ids, its only column", source.path),
        label_layout);
  if (!source.column.empty()) return column_of(table, source.column, label_layout, 1);
  const Strings names(table.header.begin() + 1, table.header.end());
  if (names.size() == 1) return 1;
  throw InputError(fmt::format("{} has {} columns: {}", source.path, names.size(), shown(names)),
                   {{"labels", source.path + ":" + likely_classes(table),
                     "names the one that holds the classes"}});
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
        "check that the ids are spelled as in the views");
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

Labels read_labels(const LabelSource& given, const Strings& samples, Strings& notices,
                   const IdRule& rule) {
  LabelSource source = given;
  const TextTable table = read_label_table(source, samples, notices);
  if (table.rows.empty())
    throw InputError(fmt::format("{}: a header, but no rows follow it", source.path), label_layout);
  const std::size_t column = class_column(table, source);
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < samples.size(); ++i) place.emplace(samples[i], i);
  Strings ids;
  for (const auto& row : table.rows) ids.push_back(row[0]);
  ids = as_samples(std::move(ids), samples, rule);

  Strings texts(samples.size());
  Indices line_of(samples.size(), 0);
  std::vector<std::size_t> unknown;  // rows with a label of a sample that no view has
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string &id = ids[r], &text = table.rows[r][column];
    const auto found = place.find(id);
    if (found == place.end()) {
      if (!is_missing_word(text)) unknown.push_back(r);
      continue;
    }
    const std::size_t i = found->second;
    const std::string own = is_missing_word(text) ? "" : text;
    // Several aliquots of a sample may be listed, with the same class.
    if (line_of[i] > 0 && (id == table.rows[r][0] || texts[i] != own))
      throw InputError(fmt::format("{}, line {}: sample '{}' already has a label in line {}",
                                   source.path, table.lines[r], shown(id), line_of[i]));
    line_of[i] = table.lines[r];
    texts[i] = own;
  }
  const auto known = static_cast<std::size_t>(
      std::count_if(line_of.begin(), line_of.end(), [](Index line) { return line > 0; }));
  if (!unknown.empty()) report_unknown(table, unknown, samples, known, notices);
  return make_labels(texts);
}

}  // namespace mkc::io
