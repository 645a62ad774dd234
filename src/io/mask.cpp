#include "mkc/io/mask.hpp"

#include <cmath>

#include <fmt/format.h>

#include "io/files.hpp"
#include "io/mat_views.hpp"
#include "mkc/error.hpp"
#include "mkc/io/csv.hpp"
#include "mkc/names.hpp"
#include "mkc/text.hpp"

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

void name_mask(MaskTable& mask, const std::vector<View>& views) {
  if (mask.views.empty()) {
    if (static_cast<Index>(views.size()) != mask.observed.cols())
      throw InputError(fmt::format("the mask has {} columns without names, there are {} views",
                                   mask.observed.cols(), views.size()),
                       "a mask has one column per view, in the order of the views");
    mask.views = names_of(views);
  }
  if (!mask.samples.empty() || views.empty()) return;
  const Strings& ids = views.front().all_ids;
  if (static_cast<Index>(ids.size()) != mask.observed.rows())
    throw InputError(fmt::format("the mask has {} rows without names, view '{}' has {} samples",
                                 mask.observed.rows(), shown(views.front().name), ids.size()),
                     "a mask has one row per sample, in the order of the samples");
  mask.samples = ids;
}

}  // namespace mkc::io
