#pragma once

#include <string>

#include "formats/text_lines.hpp"
#include "mkc/base/types.hpp"

namespace mkc::io {

/// A small table of words from a CSV or TSV file (plain or gzip).
struct TextTable {
  std::string path;
  Strings header;             // "" above the row names that R writes without a header cell
  std::vector<Strings> rows;  // as many cells as the header
  Indices lines;              // of the rows in the file
};

/// Skips comments and blank lines. InputError with the line where a row has too few or too many
/// cells, or its quotes do not match.
TextTable read_text_table(const std::string& path);
TextTable read_text_table(TextLines lines);

/// The column of that name, searched from column `first` on; InputError (with this hint) where
/// there is none.
std::size_t column_of(const TextTable& table, const std::string& name, const std::string& hint,
                      std::size_t first = 0);

}  // namespace mkc::io
