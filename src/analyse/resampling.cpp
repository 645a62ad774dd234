#include "analyse/resampling.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "analyse/spectral.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "mkc/combine.hpp"
#include "mkc/problem/labels.hpp"
#include "numeric/blocks.hpp"
#include "numeric/centred.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc {

namespace {

constexpr double drawn_share = 0.8;
constexpr std::size_t most_drawn = 500;
constexpr int starts = 3;
constexpr Index neighbour_counts[] = {5, 10, 20, 40};

std::size_t drawn_of(std::size_t n) {
  return std::min(most_drawn, static_cast<std::size_t>(drawn_share * static_cast<double>(n)));
}

// The samples that one resample clusters, and those that join them.
struct Draw {
  Indices drawn, others;  // ascending
  Strings names;          // of the drawn
};

Draw draw_samples(const Strings& samples, std::uint64_t seed, Index resample) {
  Indices all(samples.size());
  std::iota(all.begin(), all.end(), Index{0});
  Draw draw;
  draw.drawn = rows_by_hash(samples, all, drawn_of(samples.size()),
                            fmt::format("resample {} {}", seed, resample));
  std::sort(draw.drawn.begin(), draw.drawn.end());
  std::set_difference(all.begin(), all.end(), draw.drawn.begin(), draw.drawn.end(),
                      std::back_inserter(draw.others));
  for (const Index i : draw.drawn) draw.names.push_back(samples[at(i)]);
  return draw;
}

Indices picked_order(const ClusterKernels& kernels, const Indices& drawn) {
  Indices order;
  for (const Index i : drawn) order.push_back(kernels.order[at(i)]);
  return order;
}

std::vector<const Matrix*> kernels_of(const ClusterKernels& kernels, ClusterGraph::Kind kind) {
  if (kind != ClusterGraph::Kind::fused) return {&kernels.mean};
  std::vector<const Matrix*> views;
  for (const auto& K : kernels.views) views.push_back(&K);
  return views;
}

// What the graphs of one kind share: the nearest drawn samples of every drawn sample and of every
// other, as many as the largest graph needs, per kernel.
struct Neighbours {
  std::vector<std::vector<Indices>> of_drawn, of_others;
};

Neighbours find_neighbours(const ClusterKernels& kernels, ClusterGraph::Kind kind, Index most,
                           const Draw& draw) {
  Neighbours found;
  const Indices order = picked_order(kernels, draw.drawn);
  for (const Matrix* K : kernels_of(kernels, kind)) {
    Matrix D = kernel_distances(*K, draw.drawn, draw.drawn);
    D.diagonal().setConstant(std::numeric_limits<double>::quiet_NaN());
    found.of_drawn.push_back(nearest_columns(D, most, order));
    found.of_others.push_back(
        nearest_columns(kernel_distances(*K, draw.others, draw.drawn), most, order));
  }
  return found;
}

// W: per kernel 1 where two drawn samples are neighbours of one another, 1/2 where one is.
Matrix graph_of(const Neighbours& neighbours, Index count, Index n) {
  Matrix W = Matrix::Zero(n, n);
  for (const auto& of_kernel : neighbours.of_drawn)
    for (Index i = 0; i < n; ++i)
      for (Index p = 0; p < count; ++p) {
        const Index j = of_kernel[at(i)][at(p)];
        W(i, j) += 0.5;
        W(j, i) += 0.5;
      }
  return W;
}

// -(mean squared distance) of every other sample to every cluster of drawn samples. (others, k)
Matrix nearness(const Matrix& K, const Draw& draw, const Indices& clusters, Index k) {
  Matrix sums = Matrix::Zero(static_cast<Index>(draw.others.size()), k);
  Vector sizes = Vector::Zero(k);
  for (std::size_t p = 0; p < draw.drawn.size(); ++p) {
    const Index c = clusters[p], j = draw.drawn[p];
    sizes(c) += 1;
    for (std::size_t r = 0; r < draw.others.size(); ++r)
      sums(static_cast<Index>(r), c) += 2 * K(draw.others[r], j) - K(j, j);
  }
  for (Index c = 0; c < k; ++c)
    sums.col(c) = sizes(c) > 0
                      ? Vector(sums.col(c) / sizes(c))
                      : Vector::Constant(sums.rows(), -std::numeric_limits<double>::infinity());
  return sums;
}

// Every other sample joins the cluster of most of its nearest drawn samples, of equal ones the
// nearer; without a graph the nearest cluster.
Indices joined(const ClusterKernels& kernels, const Neighbours* neighbours, Index count,
               const Draw& draw, const Indices& clusters, Index k) {
  Indices all(kernels.samples.size());
  for (std::size_t p = 0; p < draw.drawn.size(); ++p) all[at(draw.drawn[p])] = clusters[p];
  const Matrix near = nearness(kernels.mean, draw, clusters, k);
  for (std::size_t r = 0; r < draw.others.size(); ++r) {
    Vector votes = Vector::Zero(k);
    if (neighbours != nullptr)
      for (const auto& of_kernel : neighbours->of_others)
        for (Index p = 0; p < count; ++p) votes(clusters[at(of_kernel[r][at(p)])]) += 1;
    Index best = 0;
    for (Index c = 1; c < k; ++c) {
      const auto row = static_cast<Index>(r);
      if (votes(c) > votes(best) || (votes(c) == votes(best) && near(row, c) > near(row, best)))
        best = c;
    }
    all[at(draw.others[r])] = best;
  }
  return all;
}

// All numbers of clusters for all graphs of one resample, in the order of the result.
std::vector<Indices> partitions_of(const ClusterKernels& kernels,
                                   const std::vector<ClusterGraph>& graphs, const Indices& counts,
                                   const Draw& draw, std::uint64_t seed) {
  const auto n = static_cast<Index>(draw.drawn.size());
  const Index most = *std::max_element(counts.begin(), counts.end());
  std::vector<Indices> result;
  Neighbours neighbours;
  auto known = ClusterGraph::Kind::centred;
  for (const auto& graph : graphs) {
    const bool is_graph = graph.kind != ClusterGraph::Kind::centred;
    if (is_graph && known != graph.kind) {
      Index largest = 0;
      for (const auto& other : graphs)
        if (other.kind == graph.kind) largest = std::max(largest, other.neighbours);
      neighbours = find_neighbours(kernels, graph.kind, largest, draw);
      known = graph.kind;
    }
    const Matrix A = is_graph ? normalized_graph(graph_of(neighbours, graph.neighbours, n))
                              : centred(submatrix(kernels.mean, draw.drawn, draw.drawn));
    const Matrix vectors = linalg::eigh_largest(A, most).vectors.rowwise().reverse();
    for (const Index k : counts)
      result.push_back(joined(kernels, is_graph ? &neighbours : nullptr, graph.neighbours, draw,
                              clusters_of_rows(vectors.leftCols(k), draw.names, seed, starts), k));
  }
  return result;
}

}  // namespace

ClusterKernels cluster_kernels(std::vector<Matrix> kernels, const Strings& samples) {
  ClusterKernels result;
  result.samples = samples;
  result.mean = Matrix::Zero(kernels.front().rows(), kernels.front().cols());
  for (auto& K : kernels) {
    K /= kernel_variance(K);
    result.mean += K / static_cast<double>(kernels.size());
  }
  result.views = std::move(kernels);
  Indices all(samples.size());
  std::iota(all.begin(), all.end(), Index{0});
  const Indices hashed = rows_by_hash(samples, all, samples.size(), "equal distances");
  result.order.resize(samples.size());
  for (std::size_t p = 0; p < hashed.size(); ++p)
    result.order[at(hashed[p])] = static_cast<Index>(p);
  return result;
}

std::vector<ClusterGraph> candidate_graphs(Index n_samples, Index n_views) {
  const auto drawn = static_cast<Index>(drawn_of(static_cast<std::size_t>(n_samples)));
  std::vector<ClusterGraph> graphs = {{ClusterGraph::Kind::centred, 0}};
  for (const auto kind : {ClusterGraph::Kind::mean, ClusterGraph::Kind::fused})
    for (const Index count : neighbour_counts)
      if (2 * count <= drawn && (kind == ClusterGraph::Kind::mean || n_views > 1))
        graphs.push_back({kind, count});
  return graphs;
}

std::vector<Partitions> resampled_partitions(const ClusterKernels& kernels,
                                             const std::vector<ClusterGraph>& graphs,
                                             const Indices& counts, int resamples,
                                             std::uint64_t seed, int threads,
                                             const std::function<void()>& tick) {
  std::vector<Partitions> result;
  for (const auto& graph : graphs)
    for (const Index k : counts)
      result.push_back({graph, k, std::vector<Indices>(static_cast<std::size_t>(resamples))});
  std::mutex one_at_a_time;
  parallel_for(resamples, threads, [&](Index b) {
    const Draw draw = draw_samples(kernels.samples, seed, b);
    std::vector<Indices> found = partitions_of(kernels, graphs, counts, draw, seed);
    for (std::size_t p = 0; p < result.size(); ++p)
      result[p].of_resample[at(b)] = std::move(found[p]);
    const std::lock_guard lock(one_at_a_time);
    tick();
  });
  return result;
}

double stability(const std::vector<Indices>& partitions) {
  double sum = 0;
  Index pairs = 0;
  for (std::size_t a = 0; a < partitions.size(); ++a)
    for (std::size_t b = 0; b < a; ++b, ++pairs)
      sum += adjusted_rand_index(partitions[a], partitions[b]);
  return sum / static_cast<double>(pairs);
}

}  // namespace mkc
