#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/raw_table.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/name_look.hpp"

namespace mkc::io {

namespace {

bool is_number(const std::string& name) {
  double value = 0;
  return parse_number(name, value);
}

/// The first column is a feature like the others.
void take_names_as_values(RawTable& table) {
  Matrix values(table.values.rows(), table.values.cols() + 1);
  values.rightCols(table.values.cols()) = table.values;
  for (std::size_t i = 0; i < table.row_names.size(); ++i)
    parse_number(table.row_names[i], values(static_cast<Index>(i), 0));
  table.values = std::move(values);
  table.column_names.insert(table.column_names.begin(), table.corner);
  for (auto& category : table.categories) ++category.column;
  table.notices.push_back(
      fmt::format("no sample ids: the first column '{}' is read as a feature, rows are numbered",
                  shown(table.corner)));
  table.samples_in_because = "the file has no sample ids";
  number_rows(table);
}

}  // namespace

std::optional<std::string> measurement_among(const Strings& names) {
  if (names.empty() || !std::all_of(names.begin(), names.end(), is_number)) return std::nullopt;
  const auto negative = std::find_if(names.begin(), names.end(),
                                     [](const std::string& name) { return name.starts_with('-'); });
  if (negative != names.end()) return *negative;
  const auto is_decimal = [](const std::string& name) {
    return name.find('.') != std::string::npos;
  };
  if (2 * std::count_if(names.begin(), names.end(), is_decimal) >= std::ssize(names))
    return *std::find_if(names.begin(), names.end(), is_decimal);
  return std::nullopt;
}

bool has_row_ids(const RawTable& table) {
  if (look_of_corner(table.corner).means == NameLook::Means::sample) return true;
  return !are_row_numbers(table.row_names) && !measurement_among(table.row_names);
}

void check_row_names(RawTable& table, bool match_rows) {
  if (!table.is_text || table.numbered) return;
  if (table.samples_in == SamplesIn::rows && has_row_ids(table)) return;
  if (are_row_numbers(table.row_names)) {
    table.numbered = true;
    return;
  }
  if (table.samples_in == SamplesIn::columns) return;
  const auto measurement = measurement_among(table.row_names);
  if (!measurement) return;
  // A header without a cell above the names, as R writes it, has names in its first column.
  if (match_rows && !table.corner.empty()) return take_names_as_values(table);
  throw InputError(
      fmt::format("{}: there seem to be no sample ids: the first column holds numbers such as {}",
                  place_of(table), shown(*measurement)),
      {"add a first column with the sample ids, in the tables of the other views too",
       {"match_rows", "", "if row i of every file is the same sample"},
       {"samples_in", "columns", "if the samples are in columns"}});
}

}  // namespace mkc::io
