#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "formats/files.hpp"
#include "files/view_parts.hpp"
#include "mkc/base/error.hpp"
#include "base/text.hpp"

namespace mkc::io {

namespace {

using Counts = Eigen::Array<Index, Eigen::Dynamic, 1>;

Counts missing_per_row(const Matrix& values) {
  Counts counts = Counts::Zero(values.rows());
  for (Index j = 0; j < values.cols(); ++j) counts += values.col(j).array().isNaN().cast<Index>();
  return counts;
}

/// Rows (for a kernel: samples) that hold at least one value.
Indices present_samples(const View& view) {
  const Index n = view.values.rows(), d = view.values.cols();
  const Counts missing = missing_per_row(view.values);
  Indices present;
  for (Index i = 0; i < n; ++i) {
    const bool empty_row = missing(i) == d;
    const bool empty_column =
        view.kind == ViewKind::features || (empty_row && view.values.col(i).array().isNaN().all());
    if (!(empty_row && empty_column)) present.push_back(i);
  }
  return present;
}

/// Names the row with most holes: it is the culprit, the others have their holes in its column.
void check_kernel_is_whole(const View& view) {
  const Counts missing = missing_per_row(view.values);
  Index row = 0;
  if (missing.maxCoeff(&row) == 0) return;
  Index column = 0;
  while (!std::isnan(view.values(row, column))) ++column;
  throw InputError(
      fmt::format("{}: kernel row '{}' is partly missing: {} of {} entries are NaN, first in column"
                  " '{}'",
                  place_of(view), shown(view.ids[at(row)]), missing(row), view.values.cols(),
                  shown(view.ids[at(column)])),
      "leave the whole row and column of a missing sample empty (the diagonal too), or delete "
      "them");
}

}  // namespace

void drop_missing_samples(View& view) {
  view.all_ids = view.ids;
  const Index n = view.values.rows();
  const Indices kept = present_samples(view);
  const Index dropped = n - static_cast<Index>(kept.size());
  if (kept.empty())
    throw InputError(
        fmt::format("{}: no sample has a value: all {} rows are NaN", place_of(view), n),
        "leave the view out, or check how missing values are written");
  if (dropped > 0) {
    keep_samples(view, kept);
    view.notices.push_back(fmt::format(
        "{} of {} samples have no values in the file and count as missing", dropped, n));
  }
  if (view.kind == ViewKind::kernel) check_kernel_is_whole(view);
}

}  // namespace mkc::io
