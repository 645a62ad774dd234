#pragma once

#include <functional>
#include <string>
#include <vector>

#include "formats/text_lines.hpp"
#include "formats/word_cells.hpp"
#include "mkc/base/types.hpp"

namespace mkc::io {

/// A table of numbers with named rows and columns, as it is in a file.
struct Table {
  std::string path;
  std::string corner;    // the header's cell above the row names; "" where it has none
  Strings row_names;     // first column: sample ids
  Strings column_names;  // header
  Indices lines;         // line of the file that holds each row
  Matrix values;         // (rows, columns); NaN where a cell is missing or holds a word
  WordCells words;       // in the order of the file; only with TableOptions::words
  Strings notices;
};

struct TableOptions {
  Strings na_values = {};       // further words for a missing value
  bool repeated_names = false;  // true: several rows or columns may have the same name
  bool names_views = false;     // true: the header names views, which may be numbers
  bool words = false;           // true: cells may hold words, too
  /// Takes the rows, one per column (columns, count), a block at a time; `values` then stays empty.
  std::function<void(const MatrixRef&)> rows = {};
};

/// Reads a CSV or TSV file, plain or gzip.
///
/// The header names the columns, the first column names the rows; as R writes it, the header may be
/// one cell shorter than the rows. The delimiter (tab, comma, semicolon, else runs of blanks) is
/// recognised. Lines that begin with '#' and blank lines are skipped. Missing values: an empty
/// cell, NA, N/A, NaN, nan, null, NULL, None. Infinities are read as such. Throws InputError with
/// line and column for anything else, unless words are allowed.
Table read_table(const std::string& path, const TableOptions& options = {});
Table read_table(TextLines lines, const TableOptions& options = {});

}  // namespace mkc::io
