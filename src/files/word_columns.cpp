#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "files/word_table.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/read_all.hpp"
#include "mkc/problem/name_look.hpp"

namespace mkc::io {

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_named = 8;
constexpr Index fewest_rows = 3;  // of one or two it is not plain what a word is

/// What the columns of a table turned out to be.
struct Found {
  Strings categories;  // "stage (4 words)"
  Strings dates;       // "visit ('2021-03-05' is 18691)"
  Strings left_out;    // "name ('Anna')"
  std::string forced;  // the name of a column that is left out
  Strings unknown;     // that hold words, and that the model does not know
  Indices kept;        // columns, ascending
  Indices refused;     // that hold numbers beside words
};

bool holds(const Strings& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Which columns are categories because the user, or a model, says so.
std::vector<bool> forced_columns(const RawTable& table, const KnownColumns* known) {
  for (const auto& name : table.read.categories)
    if (!holds(table.column_names, name))
      throw InputError(fmt::format("{}: categories: there is no column '{}'{}", place_of(table),
                                   shown(name), suggestion(name, table.column_names)),
                       "its columns are " + first_of(table.column_names));
  std::vector<bool> forced;
  for (const auto& name : table.column_names)
    forced.push_back(holds(table.read.categories, name) || holds(table.factors, name) ||
                     (known != nullptr && holds(known->categories, name)));
  forced.resize(at(table.values.cols()), false);
  return forced;
}

/// Words repeat: at most half as many as cells, or two of them.
bool are_categories(std::size_t words, Index cells) {
  const auto count = static_cast<Index>(words);
  return 2 * count <= cells || (count == 2 && cells > 2);
}

/// Nine in ten words of the column mean something else than a number.
bool are_words(const std::vector<std::pair<std::string, Index>>& counted, Index cells) {
  Index numbers = 0;
  for (const auto& [word, count] : counted)
    if (is_meant_as_number(word)) numbers += count;
  return 10 * numbers < cells;
}

/// Codes of the words of a column, of which single cells may be numbers.
CategoryColumn category_of(const WordTable& words, Index column, Eigen::Ref<Vector> values) {
  std::map<std::string, Index> place;
  for (const Cell& cell : words.cells(column)) place.emplace(words.word(cell), 0);
  for (const double value : values)
    if (!std::isnan(value)) place.emplace(format_number(value), 0);
  CategoryColumn category{column, {}};
  for (auto& [word, code] : place) {
    code = std::ssize(category.levels);
    category.levels.push_back(word);
  }
  for (double& value : values)
    if (!std::isnan(value)) value = static_cast<double>(place.at(format_number(value)));
  for (const Cell& cell : words.cells(column))
    values(cell.row) = static_cast<double>(place.at(words.word(cell)));
  return category;
}

/// A word of its own in every row, beside numbers of rows where ids should be: the ids.
void check_for_ids(const RawTable& table, Index column, const std::string& example) {
  const std::string& name = table.column_names[at(column)];
  const bool may_be_ids = column == 0 || look_of_corner(name).means == NameLook::Means::sample;
  if (table.samples_in == SamplesIn::columns || has_row_ids(table) || !may_be_ids) return;
  throw InputError(
      fmt::format("{}: the first column holds numbers of rows, and column '{}' seems to hold the "
                  "sample ids: '{}'",
                  place_of(table), shown(name), shown(example)),
      {"remove the column before the ids", {"categories", shown(name), "if they are no ids"}});
}

/// Decides on every column. Values of `table` become codes and days; `words` is of the same table.
Found read_columns(RawTable& table, const WordTable& words, const std::vector<bool>& forced,
                   const KnownColumns* known) {
  Found found;
  for (Index j = 0; j < words.columns(); ++j) {
    const std::string name = table.column_names.empty() ? "" : shown(table.column_names[at(j)]);
    const auto make_category = [&] {
      table.categories.push_back(category_of(words, j, table.values.col(j)));
      table.categories.back().column = std::ssize(found.kept);
      const std::size_t levels = table.categories.back().levels.size();
      found.categories.push_back(fmt::format("{} ({}{})", name, levels,
                                             !found.categories.empty() ? ""
                                             : levels == 1             ? " word"
                                                                       : " words"));
      found.kept.push_back(j);
    };
    if (forced[at(j)]) {
      make_category();
      continue;
    }
    if (words.words_in(j) == 0) {
      found.kept.push_back(j);
      continue;
    }
    const auto counted = words.counted_words(j);
    if (known != nullptr && !holds(known->used, table.column_names[at(j)])) {
      found.unknown.push_back(name);
    } else if (!words.is_of_words(j) || !are_words(counted, words.words_in(j))) {
      found.refused.push_back(j);
    } else if (is_of_dates(words, j)) {
      const Cell& first = words.cells(j).front();
      table.values.col(j) = days_in(words, j);
      found.dates.push_back(fmt::format("{} ('{}' is {})", name, shown(words.word(first)),
                                        format_number(table.values(first.row, j))));
      found.kept.push_back(j);
    } else if (known != nullptr || table.values.rows() < fewest_rows) {
      found.refused.push_back(j);
    } else if (are_categories(counted.size() + at(words.numbers_in(j)), words.values_in(j))) {
      make_category();
    } else {
      if (std::ssize(counted) == table.values.rows()) check_for_ids(table, j, counted[0].first);
      found.left_out.push_back(fmt::format("{} ('{}')", name, shown(counted.front().first)));
      if (found.forced.empty()) found.forced = name;
    }
  }
  return found;
}

void keep_columns(RawTable& table, const Indices& kept) {
  if (std::ssize(kept) == table.values.cols()) return;
  table.values = Matrix(table.values(Eigen::all, kept));
  table.column_names = picked(table.column_names, kept);
  if (!table.column_lines.empty()) table.column_lines = picked(table.column_lines, kept);
}

std::string first_named(const Strings& names) {
  const Strings first(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(
                                                         std::min(most_named, names.size())));
  return join(first) + (names.size() > most_named ? ", ..." : "");
}

/// "3 of 12 columns hold"
std::string counted(std::size_t count, Index of, const char* things, const char* one,
                    const char* several) {
  return fmt::format("{} of {} {} {}", count, of, things, count == 1 ? one : several);
}

void add_notices(RawTable& table, const Found& found, Index columns) {
  const char* things = table.samples_in == SamplesIn::columns ? "rows" : "columns";  // of the file
  if (!found.categories.empty())
    table.notices.push_back(fmt::format(
        "{}: {}",
        counted(found.categories.size(), columns, things, "holds words and is used as a category",
                "hold words and are used as categories"),
        first_named(found.categories)));
  if (!found.dates.empty())
    table.notices.push_back(
        fmt::format("{}, read as days since 1970-01-01: {}",
                    counted(found.dates.size(), columns, things, "holds dates", "hold dates"),
                    first_named(found.dates)));
  if (!found.unknown.empty())
    table.notices.push_back(
        fmt::format("{} and left out, because the model does not have {}: {}",
                    counted(found.unknown.size(), columns, things, "holds words", "hold words"),
                    found.unknown.size() == 1 ? "it" : "them", first_named(found.unknown)));
  if (!found.left_out.empty())
    table.notices.push_back(fmt::format(
        "{} left out, because nearly every cell has a word of its own: {}; categories={} uses {}",
        counted(found.left_out.size(), columns, things, "is", "are"), first_named(found.left_out),
        found.forced, found.left_out.size() == 1 ? "it" : "the first"));
}

/// Cells of the rows that stay.
WordCells cells_in(const RawTable& table, const Indices& kept) {
  std::vector<Index> new_row(at(table.values.rows()), -1);
  for (std::size_t i = 0; i < kept.size(); ++i) new_row[at(kept[i])] = static_cast<Index>(i);
  WordCells cells;
  for (const Cell& cell : table.words.cells())
    if (new_row[cell.row] >= 0)
      cells.add(new_row[cell.row], cell.column, table.words.word(cell), table.file);
  return cells;
}

/// Of a table with samples in columns: columns of the file that describe the features are no
/// samples.
void leave_out_descriptions(RawTable& table, const Indices& rows) {
  Indices kept;
  for (Index i = 0; i < table.values.rows(); ++i)
    if (!std::binary_search(rows.begin(), rows.end(), i)) kept.push_back(i);
  table.notices.push_back(fmt::format(
      "{} left out, because {} words, not numbers: {}",
      counted(rows.size(), table.values.rows(), "columns", "is", "are"),
      rows.size() == 1 ? "it holds" : "they hold", first_of(picked(table.row_names, rows))));
  table.words = cells_in(table, kept);
  table.values = Matrix(table.values(kept, Eigen::all));
  table.row_names = picked(table.row_names, kept);
}

bool are_all_explained(const WordTable& words, const std::vector<bool>& forced,
                       const Indices& rows) {
  for (const Cell& cell : words.table().words.cells())
    if (!forced[cell.column] && !words.is_of_words(cell.column) &&
        !std::binary_search(rows.begin(), rows.end(), static_cast<Index>(cell.row)))
      return false;
  return true;
}

bool has_same_names_on_both_sides(const RawTable& table) {
  Strings rows = table.row_names, columns = table.column_names;
  std::sort(rows.begin(), rows.end());
  std::sort(columns.begin(), columns.end());
  return rows == columns;
}

Indices all_columns(const RawTable& table) {
  Indices columns(at(table.values.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

Indices columns_with_words(const WordTable& words) {
  Indices columns;
  for (Index j = 0; j < words.columns(); ++j)
    if (words.words_in(j) > 0) columns.push_back(j);
  return columns;
}

}  // namespace

Indices use_words(RawTable& table, const KnownColumns* known) {
  const bool asked = !table.read.categories.empty() || (known && !known->categories.empty());
  if (table.words.empty() && table.factors.empty() && !asked) return all_columns(table);
  const std::vector<bool> forced = forced_columns(table, known);
  {
    const WordTable words(table);
    // A kernel: every word in it is a wrong cell.
    if (!table.words.empty() && has_same_names_on_both_sides(table))
      refuse_words(words, columns_with_words(words));
    const Indices rows = description_rows(words, forced);
    const bool explained = !rows.empty() && are_all_explained(words, forced, rows);
    if (explained && table.samples_in == SamplesIn::rows) refuse_description(words, rows.front());
    if (explained) leave_out_descriptions(table, rows);
  }
  const Index columns = table.values.cols();
  const WordTable words(table);
  const Found found = read_columns(table, words, forced, known);
  if (!found.refused.empty()) refuse_words(words, found.refused);
  if (found.kept.empty())
    throw InputError(fmt::format("{}: no column holds numbers or words that repeat: {}",
                                 place_of(table), first_named(found.left_out)),
                     {{"categories", found.forced, "uses such a column"}});
  keep_columns(table, found.kept);
  add_notices(table, found, columns);
  table.words = {};
  return found.kept;
}

}  // namespace mkc::io
