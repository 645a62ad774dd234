#include "mkc/analyse/drivers.hpp"

#include <cmath>

#include "analyse/grouped_kernels.hpp"
#include "mkc/analyse/embed.hpp"
#include "support/expect_message.hpp"

namespace mkc {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

DriverTargets targets_of(const Matrix& axes, Indices clusters, Index n_clusters) {
  DriverTargets targets;
  targets.axes = axes;
  for (Index a = 1; a <= axes.cols(); ++a)
    targets.axis_names.push_back("axis_" + std::to_string(a));
  targets.clusters = std::move(clusters);
  for (Index c = 1; c <= n_clusters; ++c)
    targets.cluster_names.push_back("cluster " + std::to_string(c));
  return targets;
}

const Driver& of(const std::vector<Driver>& drivers, const std::string& feature,
                 const std::string& target) {
  for (const auto& one : drivers)
    if (one.feature == feature && one.target == target) return one;
  throw std::runtime_error("no driver " + feature + " " + target);
}

// Ten planted features among 200 in each of two views.
TEST(Drivers, PlantedFeaturesAreTheTopTen) {
  const Index n = 80, d = 200;
  GroupedKernels data(n, 2, 0);
  std::vector<ViewFeatures> views;
  for (std::size_t m = 0; m < 2; ++m) {
    Matrix X(n, d);
    for (Index i = 0; i < n; ++i) {
      Random noise(3, data.samples[at(i)], data.views[m]);
      for (Index j = 0; j < d; ++j)
        X(i, j) = noise.normal() + (j % 20 == 7 ? 4.0 * static_cast<double>(i % 2) : 0);
    }
    data.kernels[m] = X * X.transpose();
    ViewFeatures view{data.views[m], {}, {}, X};
    for (Index j = 0; j < d; ++j) view.features.push_back("f" + std::to_string(j));
    for (Index i = 0; i < n; ++i) view.rows.push_back(i);
    views.push_back(std::move(view));
  }
  const Matrix axes =
      embed(data.kernels, data.views, data.samples, {EmbedMethod::kernel_pca, 1}).coordinates;
  const auto drivers = feature_drivers(views, targets_of(axes, data.groups, 2));
  for (const auto& one : drivers) {
    const bool planted = std::stoi(one.feature.substr(1)) % 20 == 7;
    EXPECT_EQ(one.rank <= 10, planted) << one.view << " " << one.feature << " " << one.target;
  }
}

TEST(Drivers, MeasuresAreTheirDefinitions) {
  const Vector x{{1, 2, 4, 3, 7, 9}}, axis{{0, 1, 1, 2, 3, 5}};
  const ViewFeatures view{"v", {"x"}, {0, 1, 2, 3, 4, 5}, x};
  const auto drivers = feature_drivers({view}, targets_of(axis, {0, 0, 0, 1, 1, 1}, 2));
  const double mx = x.mean(), ma = axis.mean();
  double xy = 0, xx = 0, yy = 0;
  for (Index i = 0; i < 6; ++i) {
    xy += (x(i) - mx) * (axis(i) - ma);
    xx += (x(i) - mx) * (x(i) - mx);
    yy += (axis(i) - ma) * (axis(i) - ma);
  }
  EXPECT_NEAR(of(drivers, "x", "axis_1").association, xy / std::sqrt(xx * yy), 1e-12);
  const double m1 = 7.0 / 3, m2 = 19.0 / 3;  // means of the clusters
  const double within = (1 - m1) * (1 - m1) + (2 - m1) * (2 - m1) + (4 - m1) * (4 - m1) +
                        (3 - m2) * (3 - m2) + (7 - m2) * (7 - m2) + (9 - m2) * (9 - m2);
  EXPECT_NEAR(of(drivers, "x", "clusters").association, 1 - within / xx, 1e-12);
  EXPECT_NEAR(of(drivers, "x", "cluster 2").association, (m2 - m1) / std::sqrt(within / 4), 1e-12);
  EXPECT_NEAR(of(drivers, "x", "cluster 1").association, (m1 - m2) / std::sqrt(within / 4), 1e-12);
}

TEST(Drivers, UsesTheSamplesThatHaveAValue) {
  const ViewFeatures view{"v",
                          {"x", "constant", "sparse"},
                          {4, 2, 0, 1},
                          Matrix{{1, 5, nan}, {2, 5, nan}, {3, 5, 1}, {nan, 5, 2}}};
  const auto drivers = feature_drivers({view}, targets_of(Vector{{3, 0, 2, 9, 1}}, {}, 0));
  EXPECT_NEAR(of(drivers, "x", "axis_1").association, 1, 1e-12);
  EXPECT_EQ(of(drivers, "x", "axis_1").samples, 3);
  EXPECT_EQ(of(drivers, "x", "axis_1").rank, 1);
  EXPECT_TRUE(std::isnan(of(drivers, "constant", "axis_1").association));
  EXPECT_TRUE(std::isnan(of(drivers, "sparse", "axis_1").association));
}

TEST(Drivers, RefusesNothingToCompareWith) {
  const ViewFeatures view{"v", {"x"}, {0, 1}, Matrix::Zero(2, 1)};
  test::expect_message([&] { feature_drivers({view}, {}); }, "neither axes nor clusters");
  test::expect_message([&] { feature_drivers({view}, targets_of(Vector::Zero(2), {}, 0)); },
                       "view 'v'");
}

// Linear kernels: shares of the variance of the features, from their definition.
TEST(ViewShares, AreSharesOfTheVarianceOfFeatures) {
  const GroupedKernels data(24, 3, 2);
  std::vector<Matrix> kernels;
  for (const auto& X : data.features) kernels.push_back(X * X.transpose());
  const Embedding axes = embed(kernels, data.views, data.samples, {EmbedMethod::kernel_pca, 2});
  const ViewShares shares =
      view_shares(kernels, data.views, data.samples, targets_of(axes.coordinates, data.groups, 3));
  for (Index m = 0; m < 2; ++m) {
    const Matrix X = data.features[at(m)].rowwise() - data.features[at(m)].colwise().mean();
    const Vector z = axes.coordinates.col(0).normalized();
    EXPECT_NEAR(shares.axes(m, 0), (X.transpose() * z).squaredNorm() / X.squaredNorm(), 1e-9);
    EXPECT_NEAR(shares.all_axes(m), shares.axes.row(m).sum(), 1e-9);  // orthogonal axes
    Matrix means = Matrix::Zero(3, X.cols());
    for (Index i = 0; i < 24; ++i) means.row(i % 3) += X.row(i) / 8;
    EXPECT_NEAR(shares.clusters(m), 8 * means.squaredNorm() / X.squaredNorm(), 1e-9);
  }
}

TEST(ViewShares, OfSamplesInNoClusterAreLeftOut) {
  const GroupedKernels data(24, 3, 2);
  Indices clusters = data.groups;
  clusters[0] = clusters[5] = -1;
  const ViewShares shares =
      view_shares(data.kernels, data.views, data.samples, targets_of(Matrix(), clusters, 3));
  EXPECT_EQ(shares.axes.cols(), 0);
  EXPECT_TRUE(std::isnan(shares.all_axes(0)));
  EXPECT_GT(shares.clusters(0), 0);
  EXPECT_LT(shares.clusters(0), 1);
}

}  // namespace
}  // namespace mkc
