#include "files/large_views.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "files/read_views.hpp"
#include "files/row_census.hpp"
#include "formats/files.hpp"
#include "formats/npy_rows.hpp"
#include "mkc/problem/sample_ids.hpp"
#include "problem/view_names.hpp"

namespace mkc::io {

namespace {

constexpr Index rows_to_judge = 2000;    // decide what rows of zeros are
constexpr Index pairs_to_judge = 20000;  // decide whether a square table is a kernel
constexpr double symmetry_tolerance = 1e-6;

double cell(const RowSource& source, Index row, Index column) {
  double value = 0;
  source.read_segment(row, column, 1, &value);
  return value;
}

bool agree(double a, double b, double largest) {
  return (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= symmetry_tolerance * largest;
}

/// Whether pairs of entries across the diagonal agree; the first that does not, else.
std::optional<RowCensus::Cell> asymmetry(const RowSource& source) {
  Random random(0, "pairs of a square table");
  const auto n = static_cast<std::uint64_t>(source.rows());
  std::optional<RowCensus::Cell> found;
  double largest = 0;
  for (Index k = 0; k < pairs_to_judge && !found; ++k) {
    const auto i = static_cast<Index>(random.below(n)), j = static_cast<Index>(random.below(n));
    const double a = cell(source, i, j), b = cell(source, j, i);
    if (std::isfinite(a)) largest = std::max(largest, std::fabs(a));
    if (!agree(a, b, largest)) found = {i, j};
  }
  return found;
}

ViewKind kind_of(RawTable& table) {
  const bool square = rows_of(table) == columns_of(table);
  const bool same_names = table.column_names.empty() || table.column_names == table.row_names;
  if (table.kind == ViewKind::features || (!table.kind && (!square || !same_names)))
    return ViewKind::features;
  if (!square)
    throw InputError(fmt::format("{}: a kernel is square, found {} rows and {} columns",
                                 place_of(table), rows_of(table), columns_of(table)),
                     "kind=features where the columns are features");
  if (!same_names)
    throw InputError(
        fmt::format("{}: the columns of this kernel are not in the order of its rows",
                    place_of(table)),
        "a kernel that is read in blocks has its samples in one order in rows and columns");
  const auto pair = asymmetry(*table.rows);
  if (!pair) {
    if (!table.kind)
      table.notices.push_back(
          "taken as a kernel: square and symmetric; give kind=features "
          "otherwise");
    return ViewKind::kernel;
  }
  if (!table.kind) return ViewKind::features;
  throw InputError(
      fmt::format("{}: not symmetric: ('{}', '{}') is {}, ('{}', '{}') is {}", place_of(table),
                  shown(table.row_names[at(pair->row)]), shown(table.row_names[at(pair->column)]),
                  cell(*table.rows, pair->row, pair->column),
                  shown(table.row_names[at(pair->column)]), shown(table.row_names[at(pair->row)]),
                  cell(*table.rows, pair->column, pair->row)),
      "kind=features if the columns are features");
}

/// Of a kernel the diagonal shows which samples are there.
RowCensus census_of_diagonal(const RowSource& source) {
  RowCensus census;
  census.cells_without_value.assign(at(source.columns()), 0);
  for (Index i = 0; i < source.rows(); ++i) {
    const double value = cell(source, i, i);
    census.rows.push_back(std::isnan(value) ? RowCensus::Row::missing
                          : value == 0      ? RowCensus::Row::zeros
                                            : RowCensus::Row::values);
    if (std::isinf(value) && !census.too_large) census.too_large = {i, i};
  }
  return census;
}

Indices rows_with(const RowCensus& census, RowCensus::Row state) {
  Indices rows;
  for (std::size_t i = 0; i < census.rows.size(); ++i)
    if (census.rows[i] == state) rows.push_back(static_cast<Index>(i));
  return rows;
}

std::string column_name(const RawTable& table, Index column) {
  return table.column_names.empty() ? fmt::format("{} (counted from 0)", column)
                                    : "'" + shown(table.column_names[at(column)]) + "'";
}

/// Judges rows of zeros by some of the others, and makes them missing where they are.
std::string settle_zero_rows(const RawTable& table, RowCensus& census, ViewKind kind,
                             Strings& notices) {
  const Indices zeros = rows_with(census, RowCensus::Row::zeros);
  if (zeros.empty()) return {};
  ZeroRows policy = table.read.zero_rows;
  std::string why;
  bool missing = policy == ZeroRows::missing;
  if (kind == ViewKind::kernel) {
    if (policy == ZeroRows::automatic) missing = true;  // k(x, x) = 0: nothing was measured
  } else if (policy == ZeroRows::automatic || policy == ZeroRows::error) {
    const Indices others = rows_with(census, RowCensus::Row::values);
    Indices some = rows_by_hash(table.row_names, others, at(rows_to_judge), "rows of zeros");
    for (auto& place : some) place = others[at(place)];
    const auto few = std::min<std::size_t>(zeros.size(), 10);
    some.insert(some.end(), zeros.begin(), zeros.begin() + static_cast<std::ptrdiff_t>(few));
    Matrix values(columns_of(table), std::ssize(some));
    table.rows->read(some, values);
    const ZeroRowsFound found = find_zero_rows(values.transpose(), kind, policy,
                                               picked(table.row_names, some), place_of(table));
    missing = found.missing;
    why = found.why;
  }
  if (missing)
    for (const Index row : zeros) census.rows[at(row)] = RowCensus::Row::missing;
  notices.push_back(fmt::format("{} of {} samples are zero throughout, taken as {}{}", zeros.size(),
                                census.rows.size(), missing ? "missing" : "values",
                                why.empty() ? "" : " because " + why));
  return missing ? "missing" : "values";
}

void refuse_large_values(const RawTable& table, const RowCensus& census) {
  if (!census.too_large) return;
  const auto [row, column] = *census.too_large;
  throw InputError(fmt::format("{}: sample '{}', column {}: {} is too large, its square overflows",
                               place_of(table), shown(table.row_names[at(row)]),
                               column_name(table, column), cell(*table.rows, row, column)));
}

/// The columns in use: without those that lack cells, where they are to be dropped.
Indices columns_in_use(const RawTable& table, const RowCensus& census, NaPolicy policy,
                       Strings& notices) {
  Indices kept;
  for (Index j = 0; j < std::ssize(census.cells_without_value); ++j)
    if (census.cells_without_value[at(j)] == 0) kept.push_back(j);
  const Index lacking = columns_of(table) - std::ssize(kept);
  if (lacking == 0) return {};
  const auto [row, column] = *census.first_without_value;
  if (policy == NaPolicy::error)
    throw InputError(
        fmt::format("{}: {} of {} columns have cells without a value, the first is sample '{}', "
                    "column {}",
                    place_of(table), lacking, columns_of(table), shown(table.row_names[at(row)]),
                    column_name(table, column)),
        {{"na_features", "mean", "fills them with the mean of the column"},
         {"na_features", "drop", "leaves such columns out"}});
  if (policy == NaPolicy::mean) {
    notices.push_back(fmt::format("{} of {} columns have cells without a value, which are filled",
                                  lacking, columns_of(table)));
    return {};
  }
  if (kept.empty())
    throw InputError(fmt::format("{}: every column has a cell without a value", place_of(table)),
                     {{"na_features", "mean", "fills them with the mean of the column"}});
  notices.push_back(fmt::format("{} of {} columns have cells without a value and are left out",
                                lacking, columns_of(table)));
  return kept;
}

LargeView to_large_view(RawTable table, int threads) {
  LargeView large;
  View& view = large.view;
  large.kind = kind_of(table);
  view.na_features = table.read.na_features;
  RowCensus census = large.kind == ViewKind::kernel ? census_of_diagonal(*table.rows)
                                                    : census_of(*table.rows, threads);
  refuse_large_values(table, census);
  view.zero_rows = settle_zero_rows(table, census, large.kind, table.notices);
  if (large.kind == ViewKind::features)
    large.columns = columns_in_use(table, census, table.read.na_features, table.notices);
  Indices there;
  for (std::size_t i = 0; i < census.rows.size(); ++i)
    if (census.rows[i] != RowCensus::Row::missing) there.push_back(static_cast<Index>(i));
  const Index n = rows_of(table), missing = n - std::ssize(there);
  if (there.empty())
    throw InputError(
        fmt::format("{}: no sample has a value: all {} rows are NaN", place_of(table), n),
        "leave the view out, or check how missing values are written");
  if (missing > 0)
    table.notices.push_back(fmt::format(
        "{} of {} samples have no values in the file and count as missing", missing, n));
  view.name = std::move(table.name);
  view.source = std::move(table.source);
  view.file = std::move(table.file);
  view.numbered = table.numbered;
  view.ids = missing > 0 ? picked(table.row_names, there) : table.row_names;
  view.all_ids = std::move(table.row_names);
  view.values.resize(std::ssize(there), 1);
  for (std::size_t i = 0; i < there.size(); ++i)
    view.values(static_cast<Index>(i), 0) = static_cast<double>(there[i]);
  if (large.kind == ViewKind::features) view.feature_names = std::move(table.column_names);
  view.kernel_options = std::move(table.kernel_options);
  view.samples_in = table.samples_in;
  view.notices = std::move(table.notices);
  large.rows = std::move(table.rows);
  return large;
}

/// What only tables in memory have.
void check_options(const std::vector<ViewSpec>& specs, const ReadAllOptions& options) {
  const Hint hint = "these tables do not fit into memory and are read in blocks";
  if (options.map) throw OptionError("--sample-map needs tables that fit into memory", hint);
  for (const auto& spec : specs) {
    const ReadOptions read = read_option_table().parse_over(options.read, spec.read_options);
    if (read.replicates == Replicates::mean)
      throw OptionError("replicates=mean needs tables that fit into memory", hint);
    if (!read.categories.empty())
      throw OptionError("categories need tables that fit into memory", hint);
  }
}

std::vector<View> take_views(std::vector<LargeView>& large) {
  std::vector<View> views;
  for (auto& one : large) views.push_back(std::move(one.view));
  return views;
}

}  // namespace

LargeViews large_views(ReadViews read, NaPolicy na_features) {
  LargeViews large{{}, std::move(read.notices)};
  for (auto& view : read.views) {
    LargeView one;
    const Index n = view.values.rows();
    Matrix values = std::move(view.values);
    if (view.kind == ViewKind::features &&
        view.na_features.value_or(na_features) == NaPolicy::drop) {
      for (Index j = 0; j < values.cols(); ++j)
        if (!values.col(j).hasNaN()) one.columns.push_back(j);
      if (one.columns.empty())
        throw InputError(place_of(view) + ": every column has a cell without a value",
                         {{"na_features", "mean", "fills them with the mean of the column"}});
      if (std::ssize(one.columns) == values.cols()) one.columns.clear();
    }
    one.rows = std::make_shared<MatrixRows>(std::move(values));
    one.kind = std::exchange(view.kind, ViewKind::features);
    one.view = std::move(view);
    one.view.values.resize(n, 1);
    std::iota(one.view.values.data(), one.view.values.data() + n, 0.0);
    large.views.push_back(std::move(one));
  }
  return large;
}

LargeViews read_large_views(const std::vector<ViewSpec>& specs, const ReadAllOptions& options,
                            const FileNamer& spool, int threads) {
  check_options(specs, options);
  LargeViews large;
  std::vector<Replicates> replicates;
  for (const auto& spec : specs)
    for (auto& table : read_tables(with_defaults(spec, options.read), options.na_values, spool)) {
      check_row_names(table, options.match_rows);
      replicates.push_back(table.read.replicates);
      large.views.push_back(to_large_view(std::move(table), threads));
    }
  std::vector<View> views = take_views(large.views);
  check_view_names(views);
  match_numbered_rows(views, options.match_rows);
  large.notices = apply_id_rule(views, options.ids);
  if (options.ids.kind == IdRule::Kind::automatic)
    if (const auto proposal = propose_id_rule(views)) throw id_question(*proposal);
  for (std::size_t m = 0; m < views.size(); ++m) {
    merge_replicates(views[m], replicates[m]);
    large.views[m].view = std::move(views[m]);
  }
  return large;
}

ViewRecipe recipe_of(const LargeView& large) {
  ViewRecipe recipe;
  recipe.kind = large.kind;
  recipe.samples_in = large.view.samples_in;
  if (large.kind == ViewKind::kernel) return recipe;
  recipe.columns = large.rows->columns();
  recipe.kept_columns = large.columns;
  if (recipe.kept_columns.empty())
    for (Index j = 0; j < recipe.columns; ++j) recipe.kept_columns.push_back(j);
  if (!large.view.feature_names.empty())
    recipe.feature_names = picked(large.view.feature_names, recipe.kept_columns);
  recipe.categories = categories_among(large.view.categories, recipe.kept_columns);
  return recipe;
}

double bytes_of_values(const std::vector<ViewSpec>& specs) {
  double bytes = 0;
  for (const auto& spec : specs) {
    std::error_code error;
    double size = static_cast<double>(std::filesystem::file_size(spec.path, error));
    if (error) continue;  // reading it says what is wrong
    if (has_extension(spec.path, ".npy")) {
      try {
        const NpyRows rows(spec.path);
        size = 8.0 * static_cast<double>(rows.rows()) * static_cast<double>(rows.columns());
      } catch (const InputError&) {
        size = 0;
      }
    } else if (has_extension(spec.path, ".gz")) {
      size *= 4;
    }
    bytes += size;
  }
  return bytes;
}

}  // namespace mkc::io
