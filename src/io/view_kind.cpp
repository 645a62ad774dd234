#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "io/files.hpp"
#include "io/view_parts.hpp"
#include "mkc/error.hpp"
#include "mkc/text.hpp"

namespace mkc::io {

namespace {

constexpr double symmetry_tolerance = 1e-8;  // of the largest entry

std::string sizes(const Matrix& values) {
  return fmt::format("{} rows and {} columns", values.rows(), values.cols());
}

/// Place of every row id among the columns; `missing` is the first that is not there.
struct Matching {
  Indices columns;
  std::optional<std::string> missing;
};

Matching match(const Strings& row_ids, const Strings& column_ids) {
  std::unordered_map<std::string_view, Index> column_of;
  for (std::size_t j = 0; j < column_ids.size(); ++j)
    column_of.emplace(column_ids[j], static_cast<Index>(j));
  Matching matching;
  for (const auto& id : row_ids) {
    const auto found = column_of.find(id);
    if (found == column_of.end()) {
      matching.missing = id;
      return matching;
    }
    matching.columns.push_back(found->second);
  }
  return matching;
}

double largest_entry(const Matrix& values) {
  double largest = 0;
  for (const double value : values.reshaped())
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  return largest;
}

bool agree(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= tolerance;
}

struct Pair {
  Index row, column;
};

/// The first pair of entries that differ, where sample j stands in column columns[j]; nothing where
/// the matrix is symmetric.
std::optional<Pair> asymmetry(const Matrix& values, const Indices& columns) {
  const double tolerance = symmetry_tolerance * largest_entry(values);
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < j; ++i)
      if (!agree(values(i, columns[static_cast<std::size_t>(j)]),
                 values(j, columns[static_cast<std::size_t>(i)]), tolerance))
        return Pair{i, j};
  return std::nullopt;
}

void reorder_columns(Matrix& values, const Indices& columns) {
  for (std::size_t j = 0; j < columns.size(); ++j)
    if (columns[j] != static_cast<Index>(j)) {
      values = Matrix(values(Eigen::all, columns));
      return;
    }
}

void make_kernel(View& view, const Strings& column_ids) {
  if (view.values.rows() != view.values.cols())
    throw InputError(
        fmt::format("{}: a kernel is square, found {}", place_of(view), sizes(view.values)),
        "say kind=features where the columns are features");
  view.kind = ViewKind::kernel;
  if (column_ids.empty()) return;
  const Matching matching = match(view.ids, column_ids);
  if (matching.missing)
    throw InputError(
        fmt::format("{}: sample '{}' is among the rows but not among the columns{}", place_of(view),
                    shown(*matching.missing), suggestion(*matching.missing, column_ids)),
        "a kernel table has the same ids in its header and in its first column");
  reorder_columns(view.values, matching.columns);
}

void make_features(View& view, const Strings& column_ids) {
  view.kind = ViewKind::features;
  view.feature_names = column_ids;
}

std::string name_in(const Strings& ids, Index i) {
  return shown(ids[static_cast<std::size_t>(i)]);
}

/// Square and symmetric with other names in the header: R may have changed them (A-1 to A.1).
void warn_of_foreign_header(View& view, const std::string& missing) {
  if (asymmetry(view.values, match(view.ids, view.ids).columns)) return;
  view.notices.push_back(
      fmt::format("taken as features although square and symmetric: sample '{}' is not among the"
                  " columns{}",
                  shown(missing), suggestion(missing, view.feature_names)));
}

void recognise(View& view, const Strings& column_ids) {
  make_features(view, column_ids);
  if (view.values.rows() != view.values.cols()) return;
  const bool named = !column_ids.empty();
  const Matching matching = match(view.ids, named ? column_ids : view.ids);
  if (matching.missing) return warn_of_foreign_header(view, *matching.missing);
  const std::string same_ids = named ? ", same ids in rows and columns" : "";
  if (const auto pair = asymmetry(view.values, matching.columns)) {
    view.notices.push_back(
        fmt::format("taken as features: square{}, but not symmetric (first at '{}' and '{}'); say"
                    " kind=kernel otherwise",
                    same_ids, name_in(view.ids, pair->row), name_in(view.ids, pair->column)));
    return;
  }
  reorder_columns(view.values, matching.columns);
  view.kind = ViewKind::kernel;
  view.feature_names.clear();
  view.notices.push_back(
      fmt::format("taken as a kernel: square{}, symmetric; say kind=features otherwise", same_ids));
}

}  // namespace

std::string place_of(const View& view) {
  return fmt::format("view '{}' ({})", shown(view.name), view.source);
}

void settle_kind(View& view, const Strings& column_ids, std::optional<ViewKind> asked) {
  if (!asked)
    recognise(view, column_ids);
  else if (*asked == ViewKind::kernel)
    make_kernel(view, column_ids);
  else
    make_features(view, column_ids);
}

}  // namespace mkc::io
