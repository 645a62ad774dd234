#include "files/joint_source.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "base/names.hpp"
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

Indices neighbours(Index first, Index count) {
  Indices rows(at(count));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

}  // namespace

JointSource::JointSource(std::vector<LargeView> views, const Alignment& alignment,
                         NaPolicy na_features)
    : samples_(alignment.samples) {
  for (std::size_t m = 0; m < views.size(); ++m) {
    LargeView& one = views[m];
    const View& view = one.view;
    Rows rows{std::move(one.rows), one.kind, std::move(one.columns), {}};
    rows.of.assign(samples_.size(), -1);
    const Places place = places_of(view.ids);
    for (std::size_t i = 0; i < samples_.size(); ++i)
      if (alignment.observed(static_cast<Index>(i), static_cast<Index>(m)))
        rows.of[i] = static_cast<std::int64_t>(view.values(place.at(samples_[i]), 0));
    factor::SourceView described;
    described.name = view.name;
    described.columns = one.kind == ViewKind::kernel ? n_samples()
                        : rows.columns.empty()       ? rows.source->columns()
                                                     : std::ssize(rows.columns);
    described.kernel = kernel_options_of(view, one.kind);
    const NaPolicy policy = view.na_features.value_or(na_features);
    described.na = policy == NaPolicy::mean ? NaPolicy::mean : NaPolicy::error;
    const auto categories =
        rows.columns.empty() ? view.categories : categories_among(view.categories, rows.columns);
    for (const auto& category : categories) described.categories.push_back(category.column);
    views_.push_back(std::move(described));
    rows_.push_back(std::move(rows));
  }
}

Index JointSource::observed(Index view) const {
  const auto& of = rows_[at(view)].of;
  return std::ssize(of) - std::count(of.begin(), of.end(), -1);
}

void JointSource::presence(Index view, Index first, Index count, factor::Presence& has) const {
  has.resize(count);
  for (Index i = 0; i < count; ++i) has(i) = rows_[at(view)].of[at(first + i)] >= 0;
}

void JointSource::read(Index view, Index first, Index count, Matrix& X,
                       factor::Presence& has) const {
  read_rows_of(rows_[at(view)], neighbours(first, count), X, has);
}

void JointSource::gather(Index view, const Indices& rows, Matrix& X, factor::Presence& has) const {
  read_rows_of(rows_[at(view)], rows, X, has);
}

void JointSource::read_rows_of(const Rows& view, const Indices& samples, Matrix& X,
                               factor::Presence& has) const {
  const Index count = std::ssize(samples);
  has.resize(count);
  Indices there, places;
  for (Index i = 0; i < count; ++i) {
    const std::int64_t row = view.of[at(samples[at(i)])];
    has(i) = row >= 0;
    if (row < 0) continue;
    there.push_back(row);
    places.push_back(i);
  }
  Matrix found(view.source->columns(), std::ssize(there));  // a sample per column
  if (!there.empty()) view.source->read(there, found);
  const bool kernel = view.kind == ViewKind::kernel;
  X.resize(count, kernel                 ? n_samples()
                  : view.columns.empty() ? found.rows()
                                         : std::ssize(view.columns));
  if (std::ssize(there) < count) X.setConstant(nan_value);
  if (kernel) {
    for (Index j = 0; j < n_samples(); ++j) {
      const std::int64_t column = view.of[at(j)];
      for (std::size_t k = 0; k < there.size(); ++k)
        X(places[k], j) = column < 0 ? nan_value : found(column, static_cast<Index>(k));
    }
    return;
  }
  if (std::ssize(there) == count && view.columns.empty())
    X = found.transpose();
  else if (view.columns.empty())
    X(places, Eigen::all) = found.transpose();
  else
    X(places, Eigen::all) = found(view.columns, Eigen::all).transpose();
}

/// Of a kernel: k(rows, columns) = k(columns, rows)', so that few rows of the file are read instead
/// of all columns.
void JointSource::read_columns(Index view, Index first, Index count, const Indices& columns,
                               Matrix& X, factor::Presence& has) const {
  const Rows& rows = rows_[at(view)];
  if (rows.kind != ViewKind::kernel) {
    Matrix whole;
    read(view, first, count, whole, has);
    X = whole(Eigen::all, columns);
    return;
  }
  presence(view, first, count, has);
  X.setConstant(count, std::ssize(columns), nan_value);
  std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = -1;
  for (Index i = 0; i < count; ++i) {
    const std::int64_t row = rows.of[at(first + i)];
    if (row < 0) continue;
    low = std::min(low, row);
    high = std::max(high, row);
  }
  if (high < 0) return;
  Vector segment(high - low + 1);
  for (Index c = 0; c < std::ssize(columns); ++c) {
    const std::int64_t column = rows.of[at(columns[at(c)])];
    if (column < 0) continue;
    rows.source->read_segment(column, low, segment.size(), segment.data());
    for (Index i = 0; i < count; ++i)
      if (has(i)) X(i, c) = segment(rows.of[at(first + i)] - low);
  }
}

}  // namespace mkc::io
