#include "files/mask.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "files/mat_views.hpp"
#include "formats/csv.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

[[noreturn]] void refuse_cell(const Table& table, Index row, Index column) {
  const double value = table.values(row, column);
  throw InputError(fmt::format("{}, line {}, column '{}': {} is not 0 or 1", table.path,
                               table.lines[at(row)], shown(table.column_names[at(column)]),
                               std::isnan(value) ? "a missing value" : format_number(value)),
                   "a mask holds 1 where the sample has the view and 0 where it lacks it");
}

}  // namespace

MaskTable read_mask(const std::string& path) {
  if (has_extension(path, ".mat")) return mask_of_mat_file(path);
  Table table = read_table(path, {.names_views = true});
  const Matrix& values = table.values;
  for (Index row = 0; row < values.rows(); ++row)
    for (Index column = 0; column < values.cols(); ++column)
      if (values(row, column) != 0 && values(row, column) != 1) refuse_cell(table, row, column);
  return {std::move(table.row_names), std::move(table.column_names), values.array() == 1};
}

}  // namespace mkc::io
