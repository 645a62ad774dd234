#pragma once

#include <utility>

#include "files/raw_table.hpp"
#include "mkc/base/hint.hpp"

/// Words in tables: parts of use_words(), and evidence on where samples are.
namespace mkc::io {

using Cell = WordCells::Cell;

/// The words of a table by its columns, and how many numbers are beside them.
class WordTable {
 public:
  explicit WordTable(const RawTable& table);

  const RawTable& table() const { return table_; }
  Index columns() const { return table_.values.cols(); }
  const std::vector<Cell>& cells(Index column) const { return cells_[at(column)]; }
  const std::string& word(const Cell& cell) const { return table_.words.word(cell); }

  Index words_in(Index column) const { return std::ssize(cells_[at(column)]); }
  Index numbers_in(Index column) const;
  Index values_in(Index column) const { return words_in(column) + numbers_in(column); }

  /// At least nine in ten cells with a value hold words.
  bool is_of_words(Index column) const;

  /// Different words of a column with the number of their cells, in the order of the rows.
  std::vector<std::pair<std::string, Index>> counted_words(Index column) const;

  /// "clin.csv, line 7, column 'age'": where the file has a cell.
  std::string place(const Cell& cell) const;

 private:
  const RawTable& table_;
  std::vector<std::vector<Cell>> cells_;
};

/// How many columns hold words in at least nine in ten cells with a value, where all words of the
/// table are in such columns, else 0; and the same for rows.
std::pair<Index, Index> sides_of_words(const RawTable& table);

/// "'n.d.', '<0.1', 'x'": the first three of them.
std::string three_of(const std::vector<std::pair<std::string, Index>>& words);

/// 12,5 and 12 %, and what spreadsheets write for errors: meant as numbers.
bool is_meant_as_number(std::string_view word);

/// Whether at least nine in ten words of a column are dates.
bool is_of_dates(const WordTable& words, Index column);

/// Days since 1970-01-01 in the cells of a column of dates. InputError where a cell is no date, or
/// the order of day and month is open.
Vector days_in(const WordTable& words, Index column);

/// Rows that hold words where others hold numbers: a second header, or columns that describe the
/// features of a table with samples in columns.
Indices description_rows(const WordTable& words, const std::vector<bool>& forced);

/// InputError about a column that holds numbers beside words, or numbers that cannot be read.
[[noreturn]] void refuse_words(const WordTable& words, const Indices& columns);

/// InputError about a row of words in a table with samples in rows.
[[noreturn]] void refuse_description(const WordTable& words, Index row);

}  // namespace mkc::io
