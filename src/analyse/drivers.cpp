#include "mkc/analyse/drivers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "analyse/checks.hpp"
#include "mkc/base/error.hpp"
#include "numeric/blocks.hpp"
#include "numeric/centred.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Index fewest_values = 3;
constexpr double rounding = 1e-12;

// Counts, sums and sums of squares of some values around `centre`.
struct Moments {
  double count = 0, sum = 0, squares = 0;

  void add(double value) {
    count += 1;
    sum += value;
    squares += value * value;
  }
  double spread() const { return squares - sum * sum / count; }  // sum of squares around the mean
};

// Values of a feature where it has some, with the sample of each. The mean is taken off, so that
// sums of squares lose no digits.
struct Column {
  Indices samples;
  Vector values;
  double spread = 0;  // sum of squares; 0 where the feature is constant

  Column(const ViewFeatures& view, Index j) {
    std::vector<double> found;
    for (Index i = 0; i < view.values.rows(); ++i)
      if (!std::isnan(view.values(i, j))) {
        samples.push_back(view.rows[at(i)]);
        found.push_back(view.values(i, j));
      }
    values = Eigen::Map<const Vector>(found.data(), static_cast<Index>(found.size()));
    if (values.size() == 0) return;
    const double size = values.squaredNorm();
    values.array() -= values.mean();
    spread = values.squaredNorm();
    if (spread <= rounding * size) spread = 0;
  }
  bool enough() const { return values.size() >= fewest_values && spread > 0; }
};

double correlation(const Column& x, const Eigen::Ref<const Vector>& axis) {
  if (!x.enough()) return nan;
  Vector z(x.values.size());
  for (Index i = 0; i < z.size(); ++i) z(i) = axis(x.samples[at(i)]);
  z.array() -= z.mean();
  const double length = z.norm();
  return length > 0 ? x.values.dot(z) / (length * std::sqrt(x.spread)) : nan;
}

// Moments of a feature per cluster; samples in no cluster are left out.
std::vector<Moments> by_cluster(const Column& x, const DriverTargets& targets) {
  std::vector<Moments> moments(targets.cluster_names.size());
  for (Index i = 0; i < x.values.size(); ++i)
    if (const Index c = targets.clusters[at(x.samples[at(i)])]; c >= 0)
      moments[at(c)].add(x.values(i));
  return moments;
}

Moments all_of(const std::vector<Moments>& parts) {
  Moments all;
  for (const auto& part : parts) {
    all.count += part.count;
    all.sum += part.sum;
    all.squares += part.squares;
  }
  return all;
}

double eta2(const std::vector<Moments>& clusters) {
  const Moments all = all_of(clusters);
  if (all.count < fewest_values || !(all.spread() > 0)) return nan;
  double within = 0;
  for (const auto& one : clusters)
    if (one.count > 0) within += std::max(0.0, one.spread());
  return std::clamp(1 - within / all.spread(), 0.0, 1.0);
}

// (mean inside - mean outside) / pooled standard deviation of the two parts.
double difference(const std::vector<Moments>& clusters, std::size_t c) {
  const Moments& inside = clusters[c];
  const Moments all = all_of(clusters);
  const Moments outside = {all.count - inside.count, all.sum - inside.sum,
                           all.squares - inside.squares};
  if (inside.count < 1 || outside.count < 1 || all.count < fewest_values) return nan;
  const double variance = (inside.spread() + outside.spread()) / (all.count - 2);
  return variance > rounding * all.squares / all.count
             ? (inside.sum / inside.count - outside.sum / outside.count) / std::sqrt(variance)
             : nan;
}

double strength(const Driver& driver) {
  return std::isnan(driver.association) ? -1 : std::abs(driver.association);
}

// The strongest first.
void rank(std::vector<Driver>& drivers) {
  std::stable_sort(drivers.begin(), drivers.end(), [](const Driver& a, const Driver& b) {
    return strength(a) != strength(b) ? strength(a) > strength(b) : a.feature < b.feature;
  });
  for (std::size_t p = 0; p < drivers.size(); ++p) drivers[p].rank = static_cast<Index>(p) + 1;
}

void check_targets(const DriverTargets& targets, Index n) {
  if (targets.axes.cols() == 0 && targets.clusters.empty())
    throw InputError("there are neither axes nor clusters to compare features with");
  if (targets.axes.cols() > 0 && targets.axes.rows() != n)
    throw InputError(fmt::format("the axes have {} samples, not {}", targets.axes.rows(), n));
  if (!targets.clusters.empty() && static_cast<Index>(targets.clusters.size()) != n)
    throw InputError(
        fmt::format("the clusters have {} samples, not {}", targets.clusters.size(), n));
  std::set<Index> found(targets.clusters.begin(), targets.clusters.end());
  found.erase(-1);
  if (!targets.clusters.empty() && found.size() < 2)
    throw InputError("all samples are in one cluster, so no feature drives it",
                     "leave out the clusters, or make more of them");
}

// The features of one view beside one target after the other.
void add_drivers(const ViewFeatures& view, const DriverTargets& targets,
                 std::vector<Driver>& drivers) {
  const bool clustered = !targets.clusters.empty();
  const auto n_axes = static_cast<std::size_t>(targets.axes.cols()),
             n_clusters = clustered ? targets.cluster_names.size() : 0;
  std::vector<std::vector<Driver>> parts(n_axes + (clustered ? 1 + n_clusters : 0));
  for (Index j = 0; j < view.values.cols(); ++j) {
    const Column x(view, j);
    const auto add = [&](std::size_t part, std::string target, const char* measure, double value) {
      parts[part].push_back(
          {view.view, view.features[at(j)], std::move(target), measure, value, x.values.size(), 0});
    };
    for (std::size_t a = 0; a < n_axes; ++a)
      add(a, targets.axis_names[a], "correlation",
          correlation(x, targets.axes.col(static_cast<Index>(a))));
    if (!clustered) continue;
    const auto moments = by_cluster(x, targets);
    add(n_axes, "clusters", "eta2", x.enough() ? eta2(moments) : nan);
    for (std::size_t c = 0; c < n_clusters; ++c)
      add(n_axes + 1 + c, targets.cluster_names[c], "difference",
          x.enough() ? difference(moments, c) : nan);
  }
  for (auto& part : parts) {
    rank(part);
    drivers.insert(drivers.end(), part.begin(), part.end());
  }
}

// An orthonormal basis of the columns of X. (n, rank)
Matrix basis_of(const Matrix& X) {
  const linalg::Eigh gram = linalg::eigh(linalg::gram_of_columns(X));
  const Index k = gram.values.size();
  Index kept = 0;
  while (kept < k && gram.values(k - 1 - kept) > rounding * gram.values(k - 1)) ++kept;
  return X * gram.vectors.rightCols(kept) *
         gram.values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
}

double share_in(const Matrix& C, const Matrix& basis) {
  return linalg::multiply(C, basis).cwiseProduct(basis).sum() / C.trace();
}

// One centred indicator column per cluster, of the samples in `rows`.
Matrix indicators(const DriverTargets& targets, const Indices& rows) {
  Matrix X = Matrix::Zero(static_cast<Index>(rows.size()),
                          static_cast<Index>(targets.cluster_names.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    X(static_cast<Index>(i), targets.clusters[at(rows[i])]) = 1;
  X.rowwise() -= X.colwise().mean().eval();
  return X;
}

}  // namespace

Strings cluster_names(Index count) {
  Strings names;
  for (Index c = 1; c <= count; ++c) names.push_back(fmt::format("cluster {}", c));
  return names;
}

std::vector<Driver> feature_drivers(const std::vector<ViewFeatures>& views,
                                    const DriverTargets& targets) {
  const auto n =
      targets.axes.cols() > 0 ? targets.axes.rows() : static_cast<Index>(targets.clusters.size());
  check_targets(targets, n);
  std::vector<Driver> drivers;
  for (const auto& view : views) {
    if (view.values.rows() < fewest_values)
      throw InputError(fmt::format("view '{}': {} of its samples are among those of the result",
                                   view.view, view.values.rows()),
                       fmt::format("at least {} are needed", fewest_values));
    add_drivers(view, targets, drivers);
  }
  return drivers;
}

ViewShares view_shares(const std::vector<Matrix>& kernels, const Strings& views,
                       const Strings& samples, const DriverTargets& targets) {
  check_complete_kernels(kernels, views, samples);
  check_targets(targets, static_cast<Index>(samples.size()));
  const auto n_views = static_cast<Index>(kernels.size());
  const Matrix axes = targets.axes.cols() > 0
                          ? Matrix(targets.axes.rowwise() - targets.axes.colwise().mean())
                          : Matrix();
  Indices clustered;
  for (std::size_t i = 0; i < targets.clusters.size(); ++i)
    if (targets.clusters[i] >= 0) clustered.push_back(static_cast<Index>(i));
  ViewShares shares{Matrix(n_views, axes.cols()), Vector::Constant(n_views, nan),
                    Vector::Constant(n_views, nan)};
  for (Index m = 0; m < n_views; ++m) {
    const Matrix C = centred(kernels[at(m)]);
    for (Index a = 0; a < axes.cols(); ++a)
      shares.axes(m, a) = share_in(C, axes.col(a).normalized());
    if (axes.cols() > 0) shares.all_axes(m) = share_in(C, basis_of(axes));
    if (!clustered.empty())
      shares.clusters(m) = share_in(centred(submatrix(kernels[at(m)], clustered, clustered)),
                                    basis_of(indicators(targets, clustered)));
  }
  return shares;
}

}  // namespace mkc
