#include "files/joint_source.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "base/names.hpp"
#include "formats/sha256.hpp"
#include "mkc/kernels/normalize.hpp"

namespace mkc::io {

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// What makes the kernel of a view. Kernels are neither centred nor normalised here.
KernelOptions kernel_options_of(const View& view, ViewKind kind) {
  KernelTransformOptions transform;
  OptionValues kernel;
  for (const auto& option : view.kernel_options) {
    if (option.first == "normalize" || option.first == "center")
      transform = kernel_transform_option_table().parse_over(transform, {option});
    else
      kernel.push_back(option);
  }
  if (transform.center || transform.normalize != Normalization::none)
    throw OptionError(
        fmt::format("{}: completion in factor form neither centres nor normalises kernels",
                    place_of(view)),
        {{"form", "dense", "does, where the kernels fit into memory"}});
  if (kind == ViewKind::kernel) {
    KernelOptions precomputed;
    precomputed.kernel = KernelKind::precomputed;
    return precomputed;
  }
  const auto table = kernel_option_table();
  return table.parse_over(table.parse(view.common_options), kernel);
}

/// A digest of the names of columns in use; "" where they have none.
std::string id_of(const Strings& names, const Indices& columns) {
  if (names.empty()) return "";
  std::string all;
  for (Index j = 0; j < (columns.empty() ? std::ssize(names) : std::ssize(columns)); ++j)
    all += names[at(columns.empty() ? j : columns[at(j)])] + "\n";
  return sha256_of_bytes(all);
}

Indices neighbours(Index first, Index count) {
  Indices rows(at(count));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

}  // namespace

JointSource::JointSource(std::vector<LargeView> views, const Alignment& alignment,
                         NaPolicy na_features) {
  const Index N = std::ssize(alignment.samples), M = std::ssize(views);
  tables_.samples = alignment.samples;
  Matrix index = Matrix::Constant(M, N, -1);
  for (Index m = 0; m < M; ++m) {
    LargeView& one = views[at(m)];
    const View& view = one.view;
    const Places place = places_of(view.ids);
    for (Index i = 0; i < N; ++i)
      if (alignment.observed(i, m))
        index(m, i) = view.values(place.at(alignment.samples[at(i)]), 0);
    ViewRows rows{std::move(one.rows), one.kind, std::move(one.columns), ""};
    rows.columns_id = id_of(view.feature_names, rows.columns);
    factor::SourceView described;
    described.name = view.name;
    described.columns = one.kind == ViewKind::kernel ? N
                        : rows.columns.empty()       ? rows.source->columns()
                                                     : std::ssize(rows.columns);
    described.kernel = kernel_options_of(view, one.kind);
    const NaPolicy policy = view.na_features.value_or(na_features);
    described.na = policy == NaPolicy::mean ? NaPolicy::mean : NaPolicy::error;
    const auto categories =
        rows.columns.empty() ? view.categories : categories_among(view.categories, rows.columns);
    for (const auto& category : categories) described.categories.push_back(category.column);
    tables_.views.push_back(std::move(described));
    tables_.rows.push_back(std::move(rows));
  }
  tables_.index = std::make_shared<MatrixRows>(std::move(index));
}

JointSource JointSource::without(const Indices& gone) const {
  Indices stay;
  for (Index i = 0; i < n_samples(); ++i)
    if (!std::binary_search(gone.begin(), gone.end(), i)) stay.push_back(i);
  JointTables kept = tables_;
  Matrix index(n_views(), std::ssize(stay));
  for (Index m = 0; m < n_views(); ++m) {
    index.row(m) = places(m, 0, n_samples())(stay).transpose();
    if (kept.rows[at(m)].kind == ViewKind::kernel) kept.views[at(m)].columns = std::ssize(stay);
  }
  kept.index = std::make_shared<MatrixRows>(std::move(index));
  kept.samples.clear();
  for (const Index i : stay) kept.samples.push_back(sample(i));
  return JointSource(std::move(kept));
}

Vector JointSource::places(Index view, Index first, Index count) const {
  Vector places(count);
  if (count > 0) tables_.index->read_segment(view, first, count, places.data());
  return places;
}

Index JointSource::observed(Index view) const {
  return (places(view, 0, n_samples()).array() >= 0).count();
}

void JointSource::presence(Index view, Index first, Index count, factor::Presence& has) const {
  has = places(view, first, count).array() >= 0;
}

void JointSource::read(Index view, Index first, Index count, Matrix& X,
                       factor::Presence& has) const {
  read_rows_of(view, neighbours(first, count), X, has);
}

void JointSource::gather(Index view, const Indices& rows, Matrix& X, factor::Presence& has) const {
  read_rows_of(view, rows, X, has);
}

void JointSource::read_rows_of(Index m, const Indices& samples, Matrix& X,
                               factor::Presence& has) const {
  const ViewRows& view = tables_.rows[at(m)];
  const Index count = std::ssize(samples);
  has.resize(count);
  Indices there, rows;
  const bool neighbouring = count > 0 && samples.back() - samples.front() == count - 1;
  const Vector together = neighbouring ? places(m, samples.front(), count) : Vector();
  for (Index i = 0; i < count; ++i) {
    const double row = neighbouring ? together(i) : places(m, samples[at(i)], 1)(0);
    has(i) = row >= 0;
    if (!has(i)) continue;
    there.push_back(static_cast<Index>(row));
    rows.push_back(i);
  }
  Matrix found(view.source->columns(), std::ssize(there));  // a sample per column
  if (!there.empty()) view.source->read(there, found);
  const bool kernel = view.kind == ViewKind::kernel;
  X.resize(count, kernel                 ? n_samples()
                  : view.columns.empty() ? found.rows()
                                         : std::ssize(view.columns));
  if (std::ssize(there) < count) X.setConstant(nan_value);
  if (kernel) {
    const Vector columns = places(m, 0, n_samples());
    for (Index j = 0; j < n_samples(); ++j)
      for (std::size_t k = 0; k < there.size(); ++k)
        X(rows[k], j) = columns(j) < 0
                            ? nan_value
                            : found(static_cast<Index>(columns(j)), static_cast<Index>(k));
    return;
  }
  if (std::ssize(there) == count && view.columns.empty())
    X = found.transpose();
  else if (view.columns.empty())
    X(rows, Eigen::all) = found.transpose();
  else
    X(rows, Eigen::all) = found(view.columns, Eigen::all).transpose();
}

/// Of a kernel: k(rows, columns) = k(columns, rows)', so that few rows of the file are read instead
/// of all columns.
void JointSource::read_columns(Index view, Index first, Index count, const Indices& columns,
                               Matrix& X, factor::Presence& has) const {
  const ViewRows& rows = tables_.rows[at(view)];
  if (rows.kind != ViewKind::kernel) {
    Matrix whole;
    read(view, first, count, whole, has);
    X = whole(Eigen::all, columns);
    return;
  }
  const Vector places_of_rows = places(view, first, count);
  has = places_of_rows.array() >= 0;
  X.setConstant(count, std::ssize(columns), nan_value);
  if (!has.any()) return;
  const auto high = static_cast<Index>(places_of_rows.maxCoeff());
  Index low = high;
  for (Index i = 0; i < count; ++i)
    if (has(i)) low = std::min(low, static_cast<Index>(places_of_rows(i)));
  Vector segment(high - low + 1);
  for (Index c = 0; c < std::ssize(columns); ++c) {
    const double column = places(view, columns[at(c)], 1)(0);
    if (column < 0) continue;
    rows.source->read_segment(static_cast<Index>(column), low, segment.size(), segment.data());
    for (Index i = 0; i < count; ++i)
      if (has(i)) X(i, c) = segment(static_cast<Index>(places_of_rows(i)) - low);
  }
}

}  // namespace mkc::io
