#pragma once

#include <optional>

#include "formats/row_source.hpp"

namespace mkc::io {

/// What one pass over a table of features finds.
struct RowCensus {
  struct Cell {
    Index row, column;
  };
  enum class Row : char { values, zeros, missing };  // zeros: apart from cells without a value

  std::vector<Row> rows;        // missing: no cell has a value
  Indices cells_without_value;  // per column, in rows that are not missing
  std::optional<Cell> first_without_value;
  std::optional<Cell> too_large;  // infinite, or its square overflows
};

/// The same with any number of threads.
RowCensus census_of(const RowSource& source, int threads);

}  // namespace mkc::io
