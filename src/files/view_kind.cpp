#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/raw_table.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

// Of the largest entry. Kernels computed in blocks, or in single precision, are not quite
// symmetric.
constexpr double symmetry_tolerance = 1e-6;

/// Place of every row id among the columns; `missing` is the first that is not there. Of an id that
/// appears several times, the first row belongs to the first column, and so on.
struct Matching {
  Indices columns;
  std::optional<std::string> missing;
};

Matching match(const Strings& row_ids, const Strings& column_ids) {
  std::unordered_map<std::string_view, Indices> columns_of;  // last first
  for (std::size_t j = column_ids.size(); j-- > 0;)
    columns_of[column_ids[j]].push_back(static_cast<Index>(j));
  Matching matching;
  for (const auto& id : row_ids) {
    const auto found = columns_of.find(id);
    if (found == columns_of.end() || found->second.empty()) {
      matching.missing = id;
      return matching;
    }
    matching.columns.push_back(found->second.back());
    found->second.pop_back();
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

/// The first pair of entries that differ, where sample j is in column columns[j]; nothing where the
/// matrix is symmetric.
std::optional<Pair> asymmetry(const Matrix& values, const Indices& columns) {
  const double tolerance = symmetry_tolerance * largest_entry(values);
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < j; ++i)
      if (!agree(values(i, columns[at(j)]), values(j, columns[at(i)]), tolerance))
        return Pair{i, j};
  return std::nullopt;
}

/// The value that half of the entries have, if there is one.
double most_common(const Matrix& values) {
  std::vector<double> known;
  for (const double value : values.reshaped())
    if (!std::isnan(value)) known.push_back(value);
  if (known.empty()) return 0;
  const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
  std::nth_element(known.begin(), middle, known.end());
  return *middle;
}

/// Whether most entries are those of a symmetric matrix. Pairs of zeros, or of another value that
/// most entries have, do not count: a table of features may be square. Nor do missing ones.
bool is_nearly_symmetric(const Matrix& values) {
  const double tolerance = symmetry_tolerance * largest_entry(values);
  const double common = most_common(values);
  Index counted = 0, equal = 0;
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < j; ++i) {
      const double a = values(i, j), b = values(j, i);
      if (std::isnan(a) || std::isnan(b) || (a == b && (a == 0 || a == common))) continue;
      ++counted;
      equal += agree(a, b, tolerance);
    }
  return 5 * equal > 4 * counted;
}

void reorder_columns(Matrix& values, const Indices& columns) {
  if (!std::is_sorted(columns.begin(), columns.end())) values = Matrix(values(Eigen::all, columns));
}

ViewKind make_kernel(RawTable& table) {
  if (table.values.rows() != table.values.cols())
    throw InputError(fmt::format("{}: a kernel is square, found {} rows and {} columns",
                                 place_of(table), table.values.rows(), table.values.cols()),
                     "kind=features where the columns are features");
  if (table.column_names.empty()) return ViewKind::kernel;
  const Matching matching = match(table.row_names, table.column_names);
  if (matching.missing)
    throw InputError(fmt::format("{}: sample '{}' is among the rows but not among the columns{}",
                                 place_of(table), shown(*matching.missing),
                                 suggestion(*matching.missing, table.column_names)),
                     "a kernel table has the same ids in its header and in its first column");
  reorder_columns(table.values, matching.columns);
  return ViewKind::kernel;
}

void warn_of_repeated_features(RawTable& table) {
  std::unordered_set<std::string_view> seen;
  Strings repeated;
  for (const auto& name : table.column_names)
    if (!seen.insert(name).second) repeated.push_back(name);
  if (!repeated.empty())
    table.notices.push_back(fmt::format("{} feature name{} more than once: {}", repeated.size(),
                                        repeated.size() == 1 ? " appears" : "s appear",
                                        first_of(repeated)));
}

/// Square and symmetric with other names in the header: R may have changed them (A-1 to A.1).
void warn_of_foreign_header(RawTable& table, const std::string& missing) {
  if (asymmetry(table.values, match(table.row_names, table.row_names).columns)) return;
  table.notices.push_back(
      fmt::format("taken as features although square and symmetric: sample '{}' is not among the"
                  " columns{}",
                  shown(missing), suggestion(missing, table.column_names)));
}

/// Zeros above the diagonal, or below, and none on it: half of a kernel.
bool is_triangular(const Matrix& values) {
  const Matrix known = values.array().isNaN().select(0.0, values);
  const double whole = known.squaredNorm();
  const double upper = known.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().squaredNorm();
  const double lower = known.triangularView<Eigen::StrictlyLower>().toDenseMatrix().squaredNorm();
  return values.rows() > 2 && (upper == 0) != (lower == 0) && whole > upper + lower;
}

[[noreturn]] void refuse_half_a_kernel(const RawTable& table) {
  throw InputError(
      fmt::format("{}: square, with zeros on one side of the diagonal only, as half of a kernel",
                  place_of(table)),
      "write the whole kernel, both halves (K + K.T - diag(K)), or give kind=features if the "
      "columns are features");
}

/// A kernel with wrong entries must not be read as features.
[[noreturn]] void refuse_asymmetry(const RawTable& table, const Pair& pair,
                                   const Indices& columns) {
  const auto [i, j] = pair;
  const std::string a = shown(table.row_names[at(i)]), b = shown(table.row_names[at(j)]);
  throw InputError(
      fmt::format("{}: {}, but not symmetric: ('{}', '{}') is {}, ('{}', '{}') is {}",
                  place_of(table),
                  table.column_names.empty() ? "square and nearly symmetric, as a kernel"
                                             : "the same ids in rows and columns, as a kernel has",
                  a, b, table.values(i, columns[at(j)]), b, a, table.values(j, columns[at(i)])),
      "fix the entries (a missing sample has its whole row and column empty), or give "
      "kind=features if the columns are features");
}

ViewKind recognise(RawTable& table) {
  if (table.values.rows() != table.values.cols() || !table.categories.empty())
    return ViewKind::features;
  const bool named = !table.column_names.empty();
  const Matching matching = match(table.row_names, named ? table.column_names : table.row_names);
  if (matching.missing) {
    warn_of_foreign_header(table, *matching.missing);
    return ViewKind::features;
  }
  const std::string same_ids = named ? ", same ids in rows and columns" : "";
  if (const auto pair = asymmetry(table.values, matching.columns)) {
    if (is_triangular(table.values)) refuse_half_a_kernel(table);
    if (named || is_nearly_symmetric(table.values))
      refuse_asymmetry(table, *pair, matching.columns);
    table.notices.push_back(fmt::format(
        "taken as features: square{}, but not symmetric (first at '{}' and '{}'); give"
        " kind=kernel otherwise",
        same_ids, shown(table.row_names[at(pair->row)]), shown(table.row_names[at(pair->column)])));
    return ViewKind::features;
  }
  reorder_columns(table.values, matching.columns);
  table.notices.push_back(fmt::format(
      "taken as a kernel: square{}, symmetric; give kind=features otherwise", same_ids));
  return ViewKind::kernel;
}

}  // namespace

ViewKind resolve_kind(RawTable& table) {
  const ViewKind kind = !table.kind                       ? recognise(table)
                        : *table.kind == ViewKind::kernel ? make_kernel(table)
                                                          : ViewKind::features;
  if (kind == ViewKind::features) warn_of_repeated_features(table);
  return kind;
}

}  // namespace mkc::io
