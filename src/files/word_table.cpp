#include "files/word_table.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/table_hints.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

bool nearly_all(Index part, Index whole) { return part > 0 && 10 * part >= 9 * whole; }

/// The first cell of these columns, as the file is read.
Cell first_cell(const WordTable& words, const Indices& columns) {
  const bool turned = words.table().samples_in == SamplesIn::columns;
  const auto order = [&](const Cell& cell) {
    return turned ? std::pair(cell.column, cell.row) : std::pair(cell.row, cell.column);
  };
  Cell first = words.cells(columns.front()).front();
  for (const Index column : columns)
    for (const Cell& cell : words.cells(column))
      if (order(cell) < order(first)) first = cell;
  return first;
}

}  // namespace

WordTable::WordTable(const RawTable& table) : table_(table), cells_(at(table.values.cols())) {
  for (const Cell& cell : table.words.cells()) cells_[cell.column].push_back(cell);
}

Index WordTable::numbers_in(Index column) const {
  return (!table_.values.col(column).array().isNaN()).count();
}

bool WordTable::is_of_words(Index column) const {
  return nearly_all(words_in(column), values_in(column));
}

std::vector<std::pair<std::string, Index>> WordTable::counted_words(Index column) const {
  std::vector<std::pair<std::string, Index>> counted;
  std::unordered_map<std::uint32_t, std::size_t> place;
  for (const Cell& cell : cells(column)) {
    const auto [found, is_new] = place.emplace(cell.word, counted.size());
    if (is_new) counted.emplace_back(word(cell), 0);
    ++counted[found->second].second;
  }
  return counted;
}

std::string WordTable::place(const Cell& cell) const {
  const bool turned = table_.samples_in == SamplesIn::columns;
  const Indices& lines = turned ? table_.column_lines : table_.lines;
  const std::size_t line = turned ? cell.column : cell.row;
  const std::string& column =
      turned ? table_.row_names[cell.row] : table_.column_names[cell.column];
  const std::string row = line < lines.size()
                              ? fmt::format("line {}", lines[line])
                              : fmt::format("sample '{}'", shown(table_.row_names[cell.row]));
  return fmt::format("{}, {}, column '{}'", table_.file, row, shown(column));
}

std::pair<Index, Index> sides_of_words(const RawTable& table) {
  constexpr Index fewest_values = 3;
  const Matrix& values = table.values;
  Indices in_column(at(values.cols()), 0), in_row(at(values.rows()), 0);
  for (const Cell& cell : table.words.cells()) {
    ++in_column[cell.column];
    ++in_row[cell.row];
  }
  const Mask known = !values.array().isNaN();
  const auto is_of_words = [](Index words, Index numbers) {
    return words + numbers >= fewest_values && nearly_all(words, words + numbers);
  };
  Index columns = 0, rows = 0, explained_by_columns = 0, explained_by_rows = 0;
  for (Index j = 0; j < values.cols(); ++j)
    if (is_of_words(in_column[at(j)], known.col(j).count())) {
      ++columns;
      explained_by_columns += in_column[at(j)];
    }
  for (Index i = 0; i < values.rows(); ++i)
    if (is_of_words(in_row[at(i)], known.row(i).count())) {
      ++rows;
      explained_by_rows += in_row[at(i)];
    }
  const Index all = std::ssize(table.words.cells());
  return {explained_by_columns == all ? columns : 0, explained_by_rows == all ? rows : 0};
}

std::string three_of(const std::vector<std::pair<std::string, Index>>& words) {
  Strings first;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, words.size()); ++i)
    first.push_back(fmt::format("'{}'", shown(words[i].first)));
  return join(first) + (words.size() > 3 ? ", ..." : "");
}

bool is_meant_as_number(std::string_view word) {
  if (word.starts_with('#') && (word.ends_with('!') || word.ends_with('?') || word == "#N/A"))
    return true;
  while (word.ends_with('%') || word.ends_with(' ')) word.remove_suffix(1);
  std::string text(word);
  std::replace(text.begin(), text.end(), ',', '.');
  double value = 0;
  return parse_number(text, value);
}

Indices description_rows(const WordTable& words, const std::vector<bool>& forced) {
  const Matrix& values = words.table().values;
  std::vector<Index> of_words(at(values.rows()), 0), of_numbers(at(values.rows()), 0);
  for (Index j = 0; j < words.columns(); ++j) {
    if (forced[at(j)] || words.is_of_words(j)) continue;
    for (const Cell& cell : words.cells(j)) ++of_words[cell.row];
    for (Index i = 0; i < values.rows(); ++i) of_numbers[at(i)] += !std::isnan(values(i, j));
  }
  Indices rows;
  for (std::size_t i = 0; i < of_words.size(); ++i)
    if (of_words[i] >= 2 && nearly_all(of_words[i], of_words[i] + of_numbers[i]))
      rows.push_back(static_cast<Index>(i));
  return rows;
}

void refuse_words(const WordTable& words, const Indices& columns) {
  const Cell first = first_cell(words, columns);
  const std::string& word = words.word(first);
  const RawTable& table = words.table();
  const Index count = words.words_in(first.column);
  std::string what = fmt::format("{}: '{}' is not a number", words.place(first), shown(word));
  if (count > 1)
    what += fmt::format("; {} of the {} values of '{}' are not numbers: {}", count,
                        words.values_in(first.column), shown(table.column_names[first.column]),
                        three_of(words.counted_words(first.column)));
  if (columns.size() > 1) {
    Strings others;
    for (const Index column : columns)
      if (column != first.column) others.push_back(table.column_names[at(column)]);
    what += fmt::format("; the same in {} more: {}", others.size(), first_of(others));
  }
  Hint hint = cell_hint(word);
  if (!is_meant_as_number(word))
    hint.add({"categories", shown(table.column_names[first.column]),
              "if the values of this column are words"});
  throw InputError(what, hint);
}

void refuse_description(const WordTable& words, Index row) {
  const auto& cells = words.table().words.cells();
  const auto first = std::find_if(cells.begin(), cells.end(), [&](const Cell& cell) {
    return static_cast<Index>(cell.row) == row && !words.is_of_words(cell.column);
  });
  const auto count = std::count_if(cells.begin(), cells.end(), [&](const Cell& cell) {
    return static_cast<Index>(cell.row) == row;
  });
  throw InputError(
      fmt::format("{}: '{}' is not a number; row '{}' holds words in {} cells", words.place(*first),
                  shown(words.word(*first)), shown(words.table().row_names[at(row)]), count),
      {"remove the row if it describes the columns (units, a second header)",
       {"na_values", shown(words.word(*first)), "if that means a missing value"},
       {"samples_in", "columns", "if samples are in columns"}});
}

}  // namespace mkc::io
