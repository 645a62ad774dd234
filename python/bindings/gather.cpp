#include "gather.hpp"

#include <algorithm>
#include <cmath>

#include "mkc/base/error.hpp"
#include "mkc/problem/problem.hpp"

namespace mkc::python {

namespace {

Index count_nan_in_row(const StridedMatrix& X, Index row, const Indices& columns) {
  Index count = 0;
  for (const Index j : columns) count += std::isnan(X(row, j));
  return count;
}

bool nan_throughout_column(const StridedMatrix& X, Index column, const Indices& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](Index i) { return std::isnan(X(i, column)); });
}

Indices counted(Index n) {
  Indices all(at(n));
  for (Index i = 0; i < n; ++i) all[at(i)] = i;
  return all;
}

Indices not_left_out(Index n, const std::optional<std::vector<bool>>& observed, const View& view) {
  if (!observed) return counted(n);
  if (static_cast<Index>(observed->size()) != n)
    throw InputError(place_of(view) + ": " + std::to_string(n) + " rows, but 'observed' has " +
                     std::to_string(observed->size()));
  Indices rows;
  for (Index i = 0; i < n; ++i)
    if ((*observed)[at(i)]) rows.push_back(i);
  return rows;
}

void check_shape(const StridedMatrix& X, const View& view) {
  if (view.kind == ViewKind::kernel && X.rows() != X.cols())
    throw InputError(place_of(view) + ": the kernel is not square: " + std::to_string(X.rows()) +
                         " rows, " + std::to_string(X.cols()) + " columns",
                     "a table of measurements becomes a kernel with mkc.compute_kernels");
  if (X.rows() != static_cast<Index>(view.ids.size()))
    throw InputError(place_of(view) + ": " + std::to_string(X.rows()) + " rows, but " +
                     std::to_string(view.ids.size()) + " sample names");
}

Indices rows_with_values(const StridedMatrix& X, const Indices& candidates, const Indices& columns,
                         bool is_kernel) {
  Indices rows;
  for (const Index i : candidates)
    if (count_nan_in_row(X, i, columns) < static_cast<Index>(columns.size()) ||
        (is_kernel && !nan_throughout_column(X, i, candidates)))
      rows.push_back(i);
  return rows;
}

// Names the row with most missing entries: the others miss theirs in its column.
void refuse_holes(const StridedMatrix& K, const Indices& rows, const View& view) {
  Index most = 0, worst = 0;
  for (const Index i : rows)
    if (const Index holes = count_nan_in_row(K, i, rows); holes > most) {
      most = holes;
      worst = i;
    }
  if (most == 0) return;
  const auto column =
      std::find_if(rows.begin(), rows.end(), [&](Index j) { return std::isnan(K(worst, j)); });
  throw InputError(place_of(view) + ": kernel row '" + view.ids[at(worst)] +
                       "' is partly missing: " + std::to_string(most) + " of " +
                       std::to_string(rows.size()) + " entries are NaN, first in column '" +
                       view.ids[at(*column)] + "'",
                   "leave the whole row and column of a missing sample NaN, the diagonal too");
}

// X on rows x columns, in tiles: reading or writing runs across memory, whatever the order.
Matrix copied(const StridedMatrix& X, const Indices& rows, const Indices& columns) {
  constexpr std::size_t tile = 32;
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t j0 = 0; j0 < columns.size(); j0 += tile)
    for (std::size_t i0 = 0; i0 < rows.size(); i0 += tile)
      for (std::size_t j = j0; j < std::min(j0 + tile, columns.size()); ++j)
        for (std::size_t i = i0; i < std::min(i0 + tile, rows.size()); ++i)
          result(static_cast<Index>(i), static_cast<Index>(j)) = X(rows[i], columns[j]);
  return result;
}

// The kernel in the caller's memory, or nothing where it cannot stay there. It is symmetric to the
// last bit, so it does not matter whether its rows or its columns are contiguous.
SharedMatrix lent(const Table& table, const Indices& rows) {
  const auto n = static_cast<Index>(table.shape(0));
  const bool rows_first = table.stride(1) == 1 && table.stride(0) == n;
  const bool columns_first = table.stride(0) == 1 && table.stride(1) == n;
  if (static_cast<Index>(rows.size()) != n || !(rows_first || columns_first)) return {};
  if (!is_symmetric(Eigen::Map<const Matrix>(table.data(), n, n))) return {};
  return SharedMatrix::looking_at(table.data(), n, n, std::make_shared<const Table>(table));
}

}  // namespace

View gather_view(std::string name, std::string source, Strings ids, Strings features,
                 const Table& table, bool is_kernel,
                 const std::optional<std::vector<bool>>& observed, OptionValues options) {
  const StridedMatrix X = mapped(table);
  View view;
  view.name = std::move(name);
  view.source = std::move(source);
  view.ids = std::move(ids);
  view.all_ids = view.ids;
  view.feature_names = std::move(features);
  view.kind = is_kernel ? ViewKind::kernel : ViewKind::features;
  view.kernel_options = std::move(options);
  check_shape(X, view);
  const Indices candidates = not_left_out(X.rows(), observed, view);
  const Indices columns = is_kernel ? candidates : counted(X.cols());
  const Indices rows = rows_with_values(X, candidates, columns, is_kernel);
  if (rows.empty())
    throw InputError(place_of(view) + ": no sample has a value", "leave the view out");
  if (is_kernel) refuse_holes(X, rows, view);
  if (is_kernel) view.lent = lent(table, rows);
  if (view.lent.size() == 0) view.values = copied(X, rows, is_kernel ? rows : columns);
  Strings kept;
  for (const Index i : rows) kept.push_back(view.ids[at(i)]);
  view.ids = std::move(kept);
  return view;
}

}  // namespace mkc::python
