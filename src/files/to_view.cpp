#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "files/raw_table.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/zero_rows.hpp"

namespace mkc::io {

namespace {

using Counts = Eigen::Array<Index, Eigen::Dynamic, 1>;

void hide(View& view, const Indices& hidden) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Index i : hidden) {
    view.values.row(i).setConstant(nan);
    if (view.kind == ViewKind::kernel) view.values.col(i).setConstant(nan);
  }
}

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

/// Names the row with most missing entries: the others miss theirs in its column.
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

void drop_missing_samples(LoadedView& loaded) {
  View& view = loaded.view;
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

}  // namespace

LoadedView to_view(RawTable table) {
  LoadedView loaded{{}, table.read.replicates};
  View& view = loaded.view;
  view.kind = resolve_kind(table);
  view.name = std::move(table.name);
  view.source = std::move(table.source);
  view.file = std::move(table.file);
  view.ids = view.all_ids = std::move(table.row_names);
  view.numbered = table.numbered;
  view.values = std::move(table.values);
  if (view.kind == ViewKind::features) view.feature_names = std::move(table.column_names);
  view.categories = std::move(table.categories);
  view.kernel_options = std::move(table.kernel_options);
  view.na_features = table.read.na_features;
  view.samples_in = table.samples_in;
  view.samples_in_because = std::move(table.samples_in_because);
  view.lines = std::move(table.lines);
  view.notices = std::move(table.notices);
  hide(view, table.hidden);
  mark_zero_rows(view, table.read.zero_rows);
  drop_missing_samples(loaded);
  return loaded;
}

}  // namespace mkc::io
