#pragma once

#include <optional>

#include "formats/r_object.hpp"

namespace mkc::io {

/// A matrix or data frame of R.
struct RTable {
  Strings row_names, column_names;  // empty where there are none
  Matrix values;                    // (rows, columns); without values where it has `words`
  std::vector<Strings> words;       // of a data frame with other columns than numbers, by column
  Strings word_columns;             // names of those columns
  Strings factors;                  // those whose levels repeat: they are words, also where numbers
  Strings notices;
  Index rows = 0;
};

/// Whether an object is a matrix of numbers, a sparse matrix of the package Matrix, or a data
/// frame.
bool is_r_table(const RObject& object);

/// The table of such an object; InputError begins with `where`. A data frame without row names
/// whose first column holds distinct texts has its names there.
RTable table_of_object(const RObject& object, const std::string& where);

/// A vector or factor as words: numbers as short as they are exact, dates as 2001-09-02, NA as
/// "NA". Nothing for anything else.
std::optional<Strings> words_of_object(const RObject& object);

}  // namespace mkc::io
