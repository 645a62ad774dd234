#pragma once

#include <cstdint>

#include "mkc/problem/run.hpp"

namespace mkc {

struct ClusterOptions {
  Index clusters = 0;         // 0: chosen; else 2 to half of the samples
  Index max_clusters = 10;    // that are tried where the number is chosen
  int resamples = 20;         // larger: strengths and stabilities are less random, slower
  std::uint64_t seed = 0;     // decides every draw, keyed by sample name
  int threads = 1;            // the result does not depend on it
  ProgressCallback progress;  // may be empty; false stops the work with an InterruptedError
};

/// What clusters are found in: the centred mean kernel, or a graph that joins every sample with its
/// nearest neighbours, in the mean kernel or in every view (the graphs of the views are added).
struct ClusterGraph {
  enum class Kind { centred, mean, fused };
  Kind kind = Kind::centred;
  Index neighbours = 0;  // 0 for `centred`

  bool operator==(const ClusterGraph&) const = default;
};

/// "centred mean kernel", "mean kernel, 10 neighbours", "views fused, 10 neighbours".
std::string graph_name(const ClusterGraph& graph);

/// How stable clusters of one graph are: the mean adjusted Rand index of two resamples.
struct GraphStability {
  ClusterGraph graph;
  Index clusters = 0;
  double stability = 0;
};

/// The most stable graph for a number of clusters, beside kernels without clusters: Gaussian ones
/// with the same covariance within and between views, clustered in the same way.
struct ClusterCount {
  Index clusters = 0;
  ClusterGraph graph;
  double stability = 0;
  double reference = 0;          // mean stability without clusters
  double reference_high = 0;     // the highest of them
  double deviations = 0;         // distance to the reference in standard deviations (cluster.md)
  bool above_reference = false;  // clearly

  /// (stability - reference) / (1 - reference): 1 = always the same clusters, 0 = no better than
  /// without clusters.
  double excess() const;
};

struct Clustering {
  bool found = false;  // false: no number of clusters is clearly more stable than the reference
  Index clusters = 1;  // given or chosen; 1 where it was to be chosen and none was found
  ClusterGraph graph;
  Indices of_sample;     // 0 ... clusters - 1, the largest cluster first
  Vector strength;       // mean share of resamples in which a sample is with those of its cluster
  Indices next;          // the other cluster it is with most often; -1 where there is none
  Vector next_strength;  // the same share for that cluster
  std::vector<ClusterCount> counts;     // one per number of clusters tried
  std::vector<GraphStability> graphs;   // every graph with every number tried
  double stability = 0, reference = 0;  // of `clusters`; NaN where there is one cluster
  Strings notices;                      // what to know before the clusters are used
};

/// Clusters of samples without labels (docs/reference/cluster.md).
///
/// The graph is the most stable one: 80 % of the samples (at most 500) are drawn `resamples` times,
/// clustered spectrally, and the others join the cluster of most of their nearest neighbours. The
/// result is the consensus of these partitions. Where the number of clusters is to be chosen, it is
/// the largest whose excess stability is within 0.1 of the best.
///
/// InputError where kernels are not finite, square, symmetric and of one size, a sample has only
/// zeros in every view, all samples are alike, or the number of clusters does not fit the samples.
Clustering cluster(const std::vector<Matrix>& kernels,  // (N, N) each, complete
                   const Strings& views, const Strings& samples, const ClusterOptions& options);

}  // namespace mkc
