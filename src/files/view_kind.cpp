#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "formats/files.hpp"
#include "files/view_parts.hpp"
#include "mkc/base/error.hpp"
#include "base/text.hpp"

namespace mkc::io {

namespace {

// Of the largest entry. Kernels computed in blocks, or in single precision, are not quite
// symmetric.
constexpr double symmetry_tolerance = 1e-6;

std::string sizes(const Matrix& values) {
  return fmt::format("{} rows and {} columns", values.rows(), values.cols());
}

/// Place of every row id among the columns; `missing` is the first that is not there. Of an id that
/// stands several times, the first row belongs to the first column, and so on.
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

/// The first pair of entries that differ, where sample j stands in column columns[j]; nothing where
/// the matrix is symmetric.
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
/// most entries have, say nothing: a table of features may be square. Nor do missing ones.
bool is_nearly_symmetric(const Matrix& values) {
  const double tolerance = symmetry_tolerance * largest_entry(values);
  const double common = most_common(values);
  Index told = 0, equal = 0;
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < j; ++i) {
      const double a = values(i, j), b = values(j, i);
      if (std::isnan(a) || std::isnan(b) || (a == b && (a == 0 || a == common))) continue;
      ++told;
      equal += agree(a, b, tolerance);
    }
  return 5 * equal > 4 * told;
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

void warn_of_repeated_features(View& view) {
  std::unordered_set<std::string_view> seen;
  Strings repeated;
  for (const auto& name : view.feature_names)
    if (!seen.insert(name).second) repeated.push_back(name);
  if (!repeated.empty())
    view.notices.push_back(fmt::format("{} feature name{} more than once: {}", repeated.size(),
                                       repeated.size() == 1 ? " stands" : "s stand",
                                       first_of(repeated)));
}

std::string name_in(const Strings& ids, Index i) {
  return shown(ids[at(i)]);
}

/// Square and symmetric with other names in the header: R may have changed them (A-1 to A.1).
void warn_of_foreign_header(View& view, const std::string& missing) {
  if (asymmetry(view.values, match(view.ids, view.ids).columns)) return;
  view.notices.push_back(
      fmt::format("taken as features although square and symmetric: sample '{}' is not among the"
                  " columns{}",
                  shown(missing), suggestion(missing, view.feature_names)));
}

/// Zeros above the diagonal, or below, and none on it: half of a kernel.
bool is_triangular(const Matrix& values) {
  const Matrix known = values.array().isNaN().select(0.0, values);
  const double whole = known.squaredNorm();
  const double upper = known.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().squaredNorm();
  const double lower = known.triangularView<Eigen::StrictlyLower>().toDenseMatrix().squaredNorm();
  return values.rows() > 2 && (upper == 0) != (lower == 0) && whole > upper + lower;
}

[[noreturn]] void refuse_half_a_kernel(const View& view) {
  throw InputError(
      fmt::format("{}: square, with zeros on one side of the diagonal only, as half of a kernel",
                  place_of(view)),
      "write the whole kernel, both halves (K + K.T - diag(K)), or say kind=features if the "
      "columns "
      "are features");
}

/// A kernel with wrong entries is not to become a table of features.
[[noreturn]] void refuse_asymmetry(const View& view, const Pair& pair, const Indices& columns,
                                   bool named) {
  const auto [i, j] = pair;
  throw InputError(
      fmt::format("{}: {}, but not symmetric: ('{}', '{}') is {}, ('{}', '{}') is {}",
                  place_of(view),
                  named ? "the same ids in rows and columns, as a kernel has"
                        : "square and nearly symmetric, as a kernel",
                  name_in(view.ids, i), name_in(view.ids, j), view.values(i, columns[at(j)]),
                  name_in(view.ids, j), name_in(view.ids, i), view.values(j, columns[at(i)])),
      "mend the entries (a missing sample has its whole row and column empty), or say "
      "kind=features "
      "if the columns are features");
}

void recognise(View& view, const Strings& column_ids) {
  make_features(view, column_ids);
  if (view.values.rows() != view.values.cols()) return;
  const bool named = !column_ids.empty();
  const Matching matching = match(view.ids, named ? column_ids : view.ids);
  if (matching.missing) return warn_of_foreign_header(view, *matching.missing);
  const std::string same_ids = named ? ", same ids in rows and columns" : "";
  if (const auto pair = asymmetry(view.values, matching.columns)) {
    if (is_triangular(view.values)) refuse_half_a_kernel(view);
    if (named || is_nearly_symmetric(view.values))
      refuse_asymmetry(view, *pair, matching.columns, named);
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

/// A table without sample ids has numbers in its first column: measurements, taken for ids.
void doubt_ids(View& view) {
  const auto is_number = [](const std::string& id) {
    double value = 0;
    return parse_number(id, value);
  };
  if (view.ids.empty() || !std::all_of(view.ids.begin(), view.ids.end(), is_number)) return;
  const auto negative = std::find_if(view.ids.begin(), view.ids.end(),
                                     [](const std::string& id) { return id.starts_with('-'); });
  const char* hint = "add a first column with the sample ids, in the tables of the other views too";
  if (negative != view.ids.end())
    throw InputError(
        fmt::format("{}: there seem to be no sample ids: the first column holds numbers "
                    "such as {}",
                    place_of(view), shown(*negative)),
        hint);
  const auto decimals = std::count_if(view.ids.begin(), view.ids.end(), [](const std::string& id) {
    return id.find('.') != std::string::npos;
  });
  if (2 * static_cast<std::size_t>(decimals) >= view.ids.size())
    view.notices.push_back(
        fmt::format("the first column holds numbers such as {}, taken for sample ids; if they are "
                    "none, {}",
                    shown(view.ids.front()), hint));
}

}  // namespace

void settle_kind(View& view, const Strings& column_ids, std::optional<ViewKind> asked) {
  if (!asked)
    recognise(view, column_ids);
  else if (*asked == ViewKind::kernel)
    make_kernel(view, column_ids);
  else
    make_features(view, column_ids);
  warn_of_repeated_features(view);
}

void settle(View& view) {
  if (view.samples_in == SamplesIn::rows) doubt_ids(view);
  const Strings header = std::move(view.feature_names);
  settle_kind(view, header, view.asked_kind);
  drop_missing_samples(view);
  view.settled = true;
}

void turn(View& view) {
  view.samples_in = SamplesIn::columns;
  std::swap(view.ids, view.feature_names);
  view.lines.clear();
  view.values = Matrix(view.values.transpose());
}

}  // namespace mkc::io
