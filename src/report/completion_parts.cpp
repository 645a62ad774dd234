#include "report/completion_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "mkc/combine.hpp"
#include "mkc/problem/inspection.hpp"
#include "mkc/problem/verdict.hpp"
#include "numeric/signs.hpp"
#include "report/compact.hpp"
#include "report/leading_eigen.hpp"
#include "report/seriation.hpp"
#include "report/thumbnail.hpp"

namespace mkc::report {

namespace {

constexpr Index map_bins = 400;       // of the missingness map
constexpr Index shown_patterns = 8;   // of missing views
constexpr Index shown_points = 5000;  // of the map of samples
constexpr Index shown_eigenvalues = 40;
constexpr Index components = 8;         // for the order of the samples
constexpr std::size_t shown_rows = 30;  // least reliable

Json numbers(const Vector& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded(value));
  return list;
}

// Names of the first and the last sample of every bin; no "last" where a bin is one sample.
void name_bins(Json& part, const Indices& order, Index bins, const Strings& samples) {
  const auto n = static_cast<Index>(order.size());
  const auto name = [&](Index position) { return short_name(samples[at(order[at(position)])]); };
  Json first = Json::array(), last = Json::array();
  for (Index c = 0; c < bins; ++c) {
    first.push_back(name(begin_of(c, n, bins)));
    last.push_back(name(begin_of(c + 1, n, bins) - 1));
  }
  part["cells"] = bins;
  part["first"] = std::move(first);
  if (bins < n) part["last"] = std::move(last);
}

// The share of observed samples per bin.
Vector observed_shares(const Mask& observed, Index m, const Indices& order, Index bins) {
  const auto n = static_cast<Index>(order.size());
  Vector shares(bins);
  for (Index c = 0; c < bins; ++c) {
    const Index begin = begin_of(c, n, bins), end = begin_of(c + 1, n, bins);
    Index count = 0;
    for (Index p = begin; p < end; ++p) count += observed(order[at(p)], m);
    shares(c) = static_cast<double>(count) / static_cast<double>(end - begin);
  }
  return shares;
}

// Samples with many views first; samples that lack the same views together.
Indices order_by_pattern(const Mask& observed) {
  Indices order(static_cast<std::size_t>(observed.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    const Index views_a = observed.row(a).count(), views_b = observed.row(b).count();
    if (views_a != views_b) return views_a > views_b;
    for (Index m = 0; m < observed.cols(); ++m)
      if (observed(a, m) != observed(b, m)) return observed(a, m);
    return false;
  });
  return order;
}

// Equal weights for the views whose kernel is not constant.
Vector weights_of(const std::vector<Matrix>& kernels) {
  Vector weights(static_cast<Index>(kernels.size()));
  for (std::size_t m = 0; m < kernels.size(); ++m)
    weights(static_cast<Index>(m)) =
        kernel_variance(kernels[m]) > 1e-12 * kernels[m].diagonal().cwiseAbs().maxCoeff();
  return weights.sum() > 0 ? Vector(weights / weights.sum()) : weights;
}

struct Row {
  Index sample, view;
  double value;
};

// The completed rows with the largest values first; NaN is left out.
std::vector<Row> largest_rows(const Matrix& values, const Mask& observed) {
  std::vector<Row> rows;
  for (Index m = 0; m < values.cols(); ++m)
    for (Index i = 0; i < values.rows(); ++i)
      if (!observed(i, m) && std::isfinite(values(i, m))) rows.push_back({i, m, values(i, m)});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.value > b.value; });
  rows.resize(std::min(rows.size(), shown_rows));
  return rows;
}

// Smallest, quartiles, largest of the completed rows of a view; null where there is none.
Json quartiles(const Matrix& values, const Mask& observed, Index m) {
  std::vector<double> sorted;
  for (Index i = 0; i < values.rows(); ++i)
    if (!observed(i, m) && std::isfinite(values(i, m))) sorted.push_back(values(i, m));
  if (sorted.empty()) return nullptr;
  std::sort(sorted.begin(), sorted.end());
  Json result = Json::array();
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
    result.push_back(
        rounded(sorted[at(std::lround(share * static_cast<double>(sorted.size() - 1)))]));
  return result;
}

// How many completed rows of a view have an interval that says nothing.
Index unknown_rows(const Matrix& high, const Mask& observed, Index m) {
  Index count = 0;
  for (Index i = 0; i < high.rows(); ++i)
    count += !observed(i, m) && std::isfinite(high(i, m)) && !interval_is_known(high(i, m));
  return count;
}

// Whether several rows of a view were completed, all with the same estimate and interval.
bool equal_estimates(const RowErrors& errors, const Mask& observed, Index m) {
  Index first = -1, count = 0;
  for (Index i = 0; i < observed.rows(); ++i) {
    if (observed(i, m) || !std::isfinite(errors.error(i, m))) continue;
    if (first < 0) first = i;
    if (errors.error(i, m) != errors.error(first, m) || errors.low(i, m) != errors.low(first, m) ||
        errors.high(i, m) != errors.high(first, m))
      return false;
    ++count;
  }
  return count > 1;
}

using NamedValues = std::vector<std::pair<const char*, const Matrix*>>;

// Quartiles of `values` per view, and the numbers `shown` of the rows with the largest `ranks`.
Json quartiles_and_rows(const Matrix& values, const Matrix& ranks, const NamedValues& shown,
                        const Mask& observed, const Strings& samples) {
  Json views = Json::array(), rows = Json::array();
  for (Index m = 0; m < observed.cols(); ++m) views.push_back(quartiles(values, observed, m));
  for (const auto& [i, m, rank] : largest_rows(ranks, observed)) {
    rows.push_back({{"sample", short_name(samples[at(i)])},
                    {"view", m},
                    {"observed_views", observed.row(i).count()}});
    for (const auto& [name, numbers] : shown) rows.back()[name] = rounded((*numbers)(i, m));
  }
  return {{"views", views}, {"rows", rows}};
}

// Classes as names and positions; numbers, and times with their events, as they are.
void add_labels(const Target& target, const Indices& shown, Json& part) {
  const auto known = [&](const Vector& values) {
    Json list = Json::array();
    for (const Index i : shown)
      list.push_back(std::isnan(values(i)) ? Json(nullptr) : Json(rounded(values(i))));
    return list;
  };
  if (const auto* labels = std::get_if<Labels>(&target)) {
    Json classes = Json::array(), class_of = Json::array();
    for (const auto& name : labels->classes) classes.push_back(short_name(name));
    for (const Index i : shown) class_of.push_back(labels->of_sample[at(i)]);
    part["classes"] = std::move(classes);
    part["class_of"] = std::move(class_of);
  } else if (const auto* numbers = std::get_if<Numbers>(&target)) {
    part["values"] = known(numbers->of_sample);
  } else {
    const auto& survival = std::get<Survival>(target);
    part["values"] = known(survival.time);
    part["events"] = known(survival.event);
  }
}

}  // namespace

Json missingness_json(const Mask& observed, const Strings& samples) {
  const Index bins = std::min(observed.rows(), map_bins);
  const Indices order = order_by_pattern(observed);
  Json part = Json::object(), views = Json::array(), patterns = Json::array();
  name_bins(part, order, bins, samples);
  for (Index m = 0; m < observed.cols(); ++m)
    views.push_back(packed_shares(observed_shares(observed, m, order, bins)));
  const auto found = missing_patterns(observed);
  for (const auto& pattern : found) {
    if (static_cast<Index>(patterns.size()) == shown_patterns) break;
    std::string marks;
    for (const bool there : pattern.views) marks += there ? '1' : '0';
    patterns.push_back({{"views", marks}, {"samples", pattern.samples}});
  }
  part["observed"] = std::move(views);
  part["patterns"] = std::move(patterns);
  part["n_patterns"] = found.size();
  return part;
}

SampleLayout map_samples(const std::vector<Matrix>& kernels, const Strings& views,
                         const Strings& samples) {
  const Matrix combined = combine_kernels(kernels, weights_of(kernels), views);
  const auto n = static_cast<Index>(samples.size());
  const linalg::Eigh found = leading_eigenpairs(centred_operator(combined), components, samples);
  const double variance = kernel_variance(combined) * static_cast<double>(n);  // tr(HKH)
  SampleLayout map;
  // A plane needs two components, whatever the rank.
  const Index count = std::max(Index{2}, found.values.size());
  map.coordinates = Matrix::Zero(n, count);
  map.shares = Vector::Zero(count);
  map.coordinates.leftCols(found.values.size()) =
      with_fixed_signs(found.vectors) * found.values.cwiseSqrt().asDiagonal();
  if (variance > 0) map.shares.head(found.values.size()) = found.values / variance;
  map.order = seriate(map.coordinates);
  return map;
}

Json sample_map_json(const SampleLayout& map, const Mask& observed, const Strings& samples,
                     const Target* labels) {
  const auto n = static_cast<Index>(samples.size());
  const Index shown = std::min(n, shown_points);
  Indices points;
  Json x = Json::array(), y = Json::array(), names = Json::array(), missing = Json::array();
  for (Index p = 0; p < shown; ++p) {
    const Index i = begin_of(p, n, shown);
    points.push_back(i);
    x.push_back(rounded(map.coordinates(i, 0)));
    y.push_back(rounded(map.coordinates(i, 1)));
    names.push_back(short_name(samples[at(i)]));
    missing.push_back(observed.cols() - observed.row(i).count());
  }
  Json part = {{"shares", numbers(map.shares.head(2))},
               {"x", x},
               {"y", y},
               {"name", names},
               {"missing", missing},
               {"n_samples", n}};
  if (labels) add_labels(*labels, points, part);
  return part;
}

Json kernels_json(const std::vector<Matrix>& kernels, const Mask& observed, const Indices& order,
                  const Strings& samples, int threads) {
  const auto n_views = static_cast<Index>(kernels.size());
  const Index bins = bins_for(observed.rows(), n_views);
  std::vector<Json> views(kernels.size());
  parallel_for(n_views, threads, [&](Index m) {
    const Thumbnail grids = thumbnail(kernels[at(m)], observed.col(m), order, bins);
    const Shades shades = shades_of(grids.after);
    views[at(m)] = {{"n_observed", observed.col(m).count()},
                    {"low", shades.low},
                    {"high", shades.high},
                    {"before", packed_triangle(grids.before, shades)},
                    {"after", packed_triangle(grids.after, shades)},
                    {"observed", packed_shares(observed_shares(observed, m, order, bins))}};
  });
  Json part = Json::object();
  name_bins(part, order, bins, samples);
  part["n_samples"] = samples.size();
  part["views"] = std::move(views);
  return part;
}

Json spectra_json(const std::vector<Matrix>& kernels, const Mask& observed, const Strings& samples,
                  int threads) {
  const auto n_views = static_cast<Index>(kernels.size());
  std::vector<Vector> values(2 * kernels.size());  // before, after, before, ...
  parallel_for(2 * n_views, threads, [&](Index task) {
    const Index m = task / 2;
    const Eigen::Array<bool, Eigen::Dynamic, 1> rows =
        task % 2 == 0 ? observed.col(m).eval()
                      : Eigen::Array<bool, Eigen::Dynamic, 1>::Constant(observed.rows(), true);
    const linalg::Eigh found =
        leading_eigenpairs(block_operator(kernels[at(m)], rows), shown_eigenvalues, samples);
    values[at(task)] = found.values / static_cast<double>(rows.count());
  });
  Json part = Json::array();
  for (std::size_t m = 0; m < kernels.size(); ++m)
    part.push_back({{"before", numbers(values[2 * m])}, {"after", numbers(values[2 * m + 1])}});
  return part;
}

Json errors_json(const RowErrors& errors, const Mask& observed, const Strings& samples) {
  const auto& [error, low, high] = errors;
  Json part = quartiles_and_rows(error, high, {{"error", &error}, {"low", &low}, {"high", &high}},
                                 observed, samples);
  Json unknown = Json::array(), equal = Json::array();
  for (Index m = 0; m < observed.cols(); ++m) {
    unknown.push_back(unknown_rows(high, observed, m));
    equal.push_back(equal_estimates(errors, observed, m));
  }
  part["unknown"] = std::move(unknown);
  part["equal"] = std::move(equal);
  return part;
}

Json uncertainty_json(const Matrix& values, const Mask& observed, const Strings& samples) {
  return quartiles_and_rows(values, values, {{"uncertainty", &values}}, observed, samples);
}

Json rows_json(const Matrix& values) {
  Json rows = Json::array();
  for (Index i = 0; i < values.rows(); ++i) rows.push_back(numbers(values.row(i).transpose()));
  return rows;
}

}  // namespace mkc::report
