#include "mkc/analyse/cluster.hpp"

#include <cmath>

#include "analyse/consensus.hpp"
#include "analyse/grouped_kernels.hpp"
#include "analyse/reference_kernels.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/labels.hpp"
#include "numeric/blocks.hpp"
#include "numeric/centred.hpp"
#include "support/expect_message.hpp"

namespace mkc {
namespace {

Clustering clustered(const GroupedKernels& data, Index clusters = 0, int threads = 1) {
  ClusterOptions options;
  options.clusters = clusters;
  options.max_clusters = 5;
  options.resamples = 10;
  options.threads = threads;
  return cluster(data.kernels, data.views, data.samples, options);
}

TEST(Cluster, FindsPlantedGroupsAndTheirNumber) {
  const GroupedKernels data(60, 3, 3);
  const Clustering found = clustered(data);
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.clusters, 3);
  EXPECT_NEAR(adjusted_rand_index(found.of_sample, data.groups), 1, 1e-12);
  EXPECT_GT(found.strength.minCoeff(), 0.9);
  EXPECT_LE(found.strength.maxCoeff(), 1);
  EXPECT_EQ(found.counts.size(), 4U);  // 2, 3, 4, 5
}

TEST(Cluster, NoiseIsOneCluster) {
  for (const std::uint64_t seed : {1, 2}) {
    const Clustering found = clustered(GroupedKernels(60, 3, 0, seed));
    EXPECT_FALSE(found.found);
    EXPECT_EQ(found.clusters, 1);
    EXPECT_EQ(found.of_sample, Indices(60, 0));
    EXPECT_TRUE(std::isnan(found.strength(0)));
    EXPECT_EQ(found.next, Indices(60, -1));
  }
}

// A line of samples is cut stably, but so is any other line.
TEST(Cluster, GradientIsNoCluster) {
  GroupedKernels data(80, 1, 0);
  for (std::size_t m = 0; m < 2; ++m) {
    Matrix X = data.features[m];
    for (Index i = 0; i < X.rows(); ++i) {
      const double place = Random(9, data.samples[at(i)]).normal();
      for (Index j = 0; j < X.cols(); ++j) X(i, j) += 1.5 * place * (j % 2 == 0 ? 1 : -1);
    }
    data.kernels[m] = GroupedKernels::rbf(X);
  }
  EXPECT_FALSE(clustered(data).found);
}

TEST(Cluster, GivenNumberOnNoiseIsMarkedAsNotClear) {
  const Clustering found = clustered(GroupedKernels(60, 3, 0), 4);
  EXPECT_EQ(found.clusters, 4);
  EXPECT_FALSE(found.found);
  EXPECT_LT(found.stability, 0.6);
}

TEST(Cluster, LargestClusterComesFirst) {
  GroupedKernels data(60, 3, 3);
  Indices kept;
  for (Index i = 0; i < 60; ++i)
    if (data.groups[at(i)] == 2 || i < 36) kept.push_back(i);
  Strings samples;
  for (const Index i : kept) samples.push_back(data.samples[at(i)]);
  for (auto& K : data.kernels) K = submatrix(K, kept, kept);
  ClusterOptions options;
  options.clusters = 3;
  options.resamples = 5;
  const Clustering found = cluster(data.kernels, data.views, samples, options);
  for (std::size_t i = 0; i < kept.size(); ++i)
    EXPECT_EQ(found.of_sample[i] == 0, data.groups[at(kept[i])] == 2);
}

TEST(Cluster, FollowsPermutationsOfTheSamplesAndNotTheThreads) {
  const GroupedKernels data(50, 3, 1.2);
  const Clustering there = clustered(data, 3);
  EXPECT_EQ(clustered(data, 3, 3).of_sample, there.of_sample);
  GroupedKernels turned = data;
  Indices order;
  for (Index i = 0; i < 50; ++i) order.push_back((i * 7 + 3) % 50);
  for (std::size_t i = 0; i < order.size(); ++i) turned.samples[i] = data.samples[at(order[i])];
  for (auto& K : turned.kernels) K = submatrix(K, order, order);
  const Clustering back = clustered(turned, 3);
  EXPECT_NEAR(back.stability, there.stability, 1e-9);
  for (std::size_t i = 0; i < order.size(); ++i) {
    EXPECT_EQ(back.of_sample[i], there.of_sample[at(order[i])]);
    EXPECT_NEAR(back.strength(static_cast<Index>(i)), there.strength(order[i]), 1e-9);
  }
}

TEST(Cluster, SeedDecides) {
  const GroupedKernels data(50, 3, 1);
  ClusterOptions options;
  options.clusters = 3;
  options.resamples = 5;
  const Clustering a = cluster(data.kernels, data.views, data.samples, options);
  EXPECT_EQ(cluster(data.kernels, data.views, data.samples, options).strength, a.strength);
  options.seed = 1;
  EXPECT_NE(cluster(data.kernels, data.views, data.samples, options).strength, a.strength);
}

TEST(Cluster, StopsWhenAsked) {
  const GroupedKernels data(30, 2, 3);
  ClusterOptions options;
  options.progress = [](const Progress& progress) { return progress.share < 0.1; };
  EXPECT_THROW(cluster(data.kernels, data.views, data.samples, options), InterruptedError);
}

TEST(Cluster, RefusesWhatItCannotCluster) {
  const GroupedKernels data(20, 2, 3);
  const auto run = [&](std::vector<Matrix> kernels, Index k) {
    ClusterOptions options;
    options.clusters = k;
    cluster(kernels, data.views, data.samples, options);
  };
  test::expect_message([&] { run(data.kernels, 1); }, "at least 2");
  test::expect_message([&] { run(data.kernels, 21); }, "21 clusters of 20 samples");
  test::expect_message([&] { run(data.kernels, 11); }, "11 clusters of 20 samples");
  auto kernels = data.kernels;
  kernels[1](3, 4) = kernels[1](4, 3) = std::nan("");
  test::expect_message([&] { run(kernels, 2); }, "view 'b', sample 's3'");
  kernels = data.kernels;
  for (auto& K : kernels) {
    K.row(7).setZero();
    K.col(7).setZero();
  }
  test::expect_message([&] { run(kernels, 2); }, "'s7'");
  kernels = data.kernels;
  kernels[0].setOnes();
  test::expect_message([&] { run(kernels, 2); }, "view 'a'");
  kernels = data.kernels;
  kernels[0](0, 1) += 1;
  test::expect_message([&] { run(kernels, 2); }, "not symmetric");
  kernels[0] = Matrix::Identity(3, 3);
  test::expect_message([&] { run(kernels, 2); }, "3 x 3");
}

// From the definition: the mean share of partitions in which a sample is with those of a cluster.
TEST(Consensus, StrengthIsTheMeanCoAssociation) {
  const std::vector<Indices> partitions = {
      {0, 0, 0, 1, 1, 1}, {1, 1, 1, 0, 0, 0}, {0, 0, 1, 1, 1, 1}};
  const Strings samples = {"a", "b", "c", "d", "e", "f"};
  const Consensus found = consensus_of(partitions, 2, samples, 0);
  EXPECT_EQ(found.of_sample, (Indices{0, 0, 0, 1, 1, 1}));
  EXPECT_NEAR(found.strength(0), (1 + 2.0 / 3) / 2, 1e-12);  // always with b, twice with c
  EXPECT_NEAR(found.strength(2), 2.0 / 3, 1e-12);
  EXPECT_NEAR(found.next_strength(2), 1.0 / 3, 1e-12);
  EXPECT_NEAR(found.strength(4), 1, 1e-12);
  EXPECT_EQ(found.next[2], 1);
}

TEST(ReferenceKernels, KeepTheSpectrumAndTheVarianceOfLinearKernels) {
  const GroupedKernels data(120, 3, 3);
  const Matrix X = data.features[0];
  const std::vector<Matrix> kernels = {X * X.transpose()};
  const Matrix drawn = ReferenceKernels(kernels, data.samples).draw(1).front();
  EXPECT_NEAR(centred(drawn).trace() / centred(kernels[0]).trace(), 1, 0.1);
  EXPECT_EQ(drawn, drawn.transpose());
  EXPECT_EQ(drawn, ReferenceKernels(kernels, data.samples).draw(1).front());
  EXPECT_NE(drawn, ReferenceKernels(kernels, data.samples).draw(2).front());
}

TEST(ReferenceKernels, OfRbfKernelsAreRbfKernels) {
  const GroupedKernels data(50, 3, 1);
  for (const auto& K : ReferenceKernels(data.kernels, data.samples).draw(1)) {
    EXPECT_NEAR((K.diagonal().array() - 1).abs().maxCoeff(), 0, 1e-12);
    EXPECT_GT(K.minCoeff(), 0);
    EXPECT_NEAR(K.mean(), data.kernels[0].mean(), 0.1);
  }
}

}  // namespace
}  // namespace mkc
