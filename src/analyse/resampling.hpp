#pragma once

#include <atomic>

#include "mkc/analyse/cluster.hpp"

namespace mkc {

/// Kernels of variance one, their mean, and an order of the samples that follows their names.
struct ClusterKernels {
  std::vector<Matrix> views;  // (N, N) each
  Matrix mean;
  Strings samples;
  Indices order;  // of sample i among the hashed names: decides between equal distances
};
ClusterKernels cluster_kernels(std::vector<Matrix> kernels, const Strings& samples);

/// The graphs to choose from; one view alone is its own mean.
std::vector<ClusterGraph> candidate_graphs(Index n_samples, Index n_views);

/// Partitions of all samples.
struct Partitions {
  ClusterGraph graph;
  Index clusters = 0;
  std::vector<Indices> of_resample;
};

/// One entry per graph and number of clusters, graphs in order. `tick` is called after every
/// resample, from one thread at a time.
std::vector<Partitions> resampled_partitions(const ClusterKernels& kernels,
                                             const std::vector<ClusterGraph>& graphs,
                                             const Indices& counts, int resamples,
                                             std::uint64_t seed, int threads,
                                             const std::function<void()>& tick);

/// Mean adjusted Rand index of two resamples.
double stability(const std::vector<Indices>& partitions);

}  // namespace mkc
