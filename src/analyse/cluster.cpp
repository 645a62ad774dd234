#include "mkc/analyse/cluster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "analyse/checks.hpp"
#include "analyse/consensus.hpp"
#include "analyse/reference_kernels.hpp"
#include "analyse/resampling.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

namespace {

constexpr int references = 6;            // kernels without clusters
constexpr int reference_resamples = 10;  // of each
// Stabilities are compared as log(1 - stability + 0.02): near 1 a small difference is much.
constexpr double least_instability = 0.02;
constexpr double smallest_deviation = 0.1;  // of the logarithm: six references show no less
// How many deviations above the reference is clear: more where several numbers are tried.
constexpr double clear_for_one = 2.2, clear_for_several = 3;
constexpr double as_good = 0.1;          // of excess stability
constexpr Index fewest_per_cluster = 4;  // on average, of numbers that are tried

void check_options(const ClusterOptions& options, Index n) {
  if (options.clusters == 1 || options.clusters < 0)
    throw OptionError(
        fmt::format("clusters: {} cannot be asked for, there are at least 2", options.clusters),
        {{"clusters", "2", "or more; without it the number is chosen"}});
  if (options.clusters > n / 2)
    throw OptionError(fmt::format("clusters: {} clusters of {} samples", options.clusters, n),
                      fmt::format("at most half as many clusters as samples: {}", n / 2));
  if (options.clusters == 0 && options.max_clusters < 2)
    throw OptionError(fmt::format("max_clusters: {} is less than 2", options.max_clusters));
  if (n < 2 * fewest_per_cluster)
    throw InputError(fmt::format("{} samples are too few for clusters", n),
                     fmt::format("at least {} are needed", 2 * fewest_per_cluster));
  if (options.resamples < 2)
    throw OptionError(fmt::format("resamples: {} is less than 2", options.resamples));
}

Indices numbers_to_try(const ClusterOptions& options, Index n) {
  if (options.clusters > 0) return {options.clusters};
  Indices counts;
  for (Index k = 2; k <= std::min(options.max_clusters, n / fewest_per_cluster); ++k)
    counts.push_back(k);
  return counts;
}

// The share of the work that is done; throws where the caller wants to stop.
class Work {
 public:
  Work(const ProgressCallback& progress, Index steps) : progress_(progress), steps_(steps) {}

  std::function<void()> tick(std::string phase) {
    return [this, phase = std::move(phase)] {
      ++done_;
      if (!progress_) return;
      Progress now;
      now.phase = phase;
      now.objective = std::numeric_limits<double>::quiet_NaN();
      now.share = static_cast<double>(done_) / static_cast<double>(steps_);
      if (!progress_(now)) throw InterruptedError("interrupted: there are no clusters yet");
    };
  }

 private:
  const ProgressCallback& progress_;
  Index steps_, done_ = 0;
};

// The most stable partitions for every number of clusters.
std::map<Index, std::pair<const Partitions*, double>> most_stable(
    const std::vector<Partitions>& partitions, std::vector<GraphStability>* all) {
  std::map<Index, std::pair<const Partitions*, double>> best;
  for (const auto& one : partitions) {
    const double value = stability(one.of_resample);
    if (all != nullptr) all->push_back({one.graph, one.clusters, value});
    const auto [place, is_new] = best.try_emplace(one.clusters, &one, value);
    if (!is_new && value > place->second.second) place->second = {&one, value};
  }
  return best;
}

// Stabilities without clusters, (numbers of clusters, references).
Matrix reference_stabilities(const ClusterKernels& kernels, const std::vector<ClusterGraph>& graphs,
                             const Indices& counts, const ClusterOptions& options, Work& work) {
  Matrix values(static_cast<Index>(counts.size()), references);
  const ReferenceKernels without_clusters(kernels.views, kernels.samples);
  for (int t = 0; t < references; ++t) {
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(t) + 1;
    const auto without = cluster_kernels(without_clusters.draw(seed), kernels.samples);
    const auto partitions =
        resampled_partitions(without, graphs, counts, reference_resamples, seed, options.threads,
                             work.tick("comparing with samples without clusters"));
    const auto best = most_stable(partitions, nullptr);
    for (std::size_t p = 0; p < counts.size(); ++p)
      values(static_cast<Index>(p), t) = best.at(counts[p]).second;
  }
  return values;
}

Matrix log_instability(const Matrix& stabilities) {
  return (1 - stabilities.array() + least_instability).max(least_instability).log();
}

// How far each stability is from its references, in standard deviations pooled over all numbers.
Vector deviations_from(const Matrix& references_of, const Vector& stabilities) {
  const Matrix logs = log_instability(references_of);
  const Matrix residuals = logs.colwise() - logs.rowwise().mean();
  const double freedom = static_cast<double>(logs.rows() * (logs.cols() - 1));
  const double deviation =
      std::max(smallest_deviation, std::sqrt(residuals.squaredNorm() / freedom));
  return (logs.rowwise().mean() - log_instability(stabilities)) / deviation;
}

// The largest number of clusters that is clearly stable and about as good as the best; null where
// there is none.
const ClusterCount* chosen_count(const std::vector<ClusterCount>& counts) {
  double best = 0;
  for (const auto& one : counts)
    if (one.above_reference) best = std::max(best, one.excess());
  const ClusterCount* chosen = nullptr;
  for (const auto& one : counts)
    if (one.above_reference && one.excess() >= best - as_good) chosen = &one;
  return chosen;
}

Clustering one_cluster(std::size_t n) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Clustering result;
  result.of_sample.assign(n, 0);
  result.strength = Vector::Constant(static_cast<Index>(n), nan);
  result.next.assign(n, -1);
  result.next_strength = result.strength;
  result.stability = result.reference = nan;
  return result;
}

Strings notices_about(const Clustering& found, Index asked,
                      const std::vector<ClusterCount>& counts) {
  Strings notices;
  if (asked > found.clusters)
    notices.push_back(
        fmt::format("{} of the {} clusters are empty", asked - found.clusters, asked));
  if (!found.found && asked == 0)
    notices.push_back(
        "no clusters found: for no number of clusters are they clearly more stable than those of "
        "samples without clusters. All samples are in one cluster; a number of clusters that is "
        "given is made all the same");
  if (!found.found && asked > 0)
    notices.push_back(fmt::format(
        "these {} clusters are not clearly more stable ({:.2f}) than those of samples without "
        "clusters ({:.2f}, at most {:.2f}): stability does not show that they are groups",
        asked, found.stability, found.reference, counts.front().reference_high));
  return notices;
}

}  // namespace

double ClusterCount::excess() const {
  return reference < 1 ? (stability - reference) / (1 - reference) : 0;
}

std::string graph_name(const ClusterGraph& graph) {
  switch (graph.kind) {
    case ClusterGraph::Kind::centred:
      return "centred mean kernel";
    case ClusterGraph::Kind::mean:
      return fmt::format("mean kernel, {} neighbours", graph.neighbours);
    case ClusterGraph::Kind::fused:
      return fmt::format("views fused, {} neighbours", graph.neighbours);
  }
  return {};
}

Clustering cluster(const std::vector<Matrix>& kernels, const Strings& views, const Strings& samples,
                   const ClusterOptions& options) {
  check_complete_kernels(kernels, views, samples);
  const auto n = static_cast<Index>(samples.size());
  check_options(options, n);
  const Indices numbers = numbers_to_try(options, n);
  const auto graphs = candidate_graphs(n, static_cast<Index>(kernels.size()));
  const ClusterKernels scaled = cluster_kernels(kernels, samples);
  Work work(options.progress, options.resamples + references * reference_resamples);

  const auto partitions =
      resampled_partitions(scaled, graphs, numbers, options.resamples, options.seed,
                           options.threads, work.tick("clustering resamples"));
  std::vector<GraphStability> all;
  const auto best = most_stable(partitions, &all);
  const Matrix without = reference_stabilities(scaled, graphs, numbers, options, work);
  Vector stabilities(static_cast<Index>(numbers.size()));
  for (std::size_t p = 0; p < numbers.size(); ++p)
    stabilities(static_cast<Index>(p)) = best.at(numbers[p]).second;
  const Vector deviations = deviations_from(without, stabilities);
  const double clear = numbers.size() == 1 ? clear_for_one : clear_for_several;
  std::vector<ClusterCount> counts;
  for (std::size_t p = 0; p < numbers.size(); ++p) {
    const auto row = static_cast<Index>(p);
    counts.push_back({numbers[p], best.at(numbers[p]).first->graph, stabilities(row),
                      without.row(row).mean(), without.row(row).maxCoeff(), deviations(row),
                      deviations(row) > clear});
  }

  const ClusterCount* chosen = options.clusters > 0 ? &counts.front() : chosen_count(counts);
  Clustering result = one_cluster(samples.size());
  if (chosen != nullptr) {
    Consensus consensus = consensus_of(best.at(chosen->clusters).first->of_resample,
                                       chosen->clusters, samples, options.seed);
    result.found = chosen->above_reference;
    result.of_sample = std::move(consensus.of_sample);
    result.clusters = 1 + *std::max_element(result.of_sample.begin(), result.of_sample.end());
    result.graph = chosen->graph;
    result.strength = std::move(consensus.strength);
    result.next = std::move(consensus.next);
    result.next_strength = std::move(consensus.next_strength);
    result.stability = chosen->stability;
    result.reference = chosen->reference;
  }
  result.notices = notices_about(result, options.clusters, counts);
  result.counts = std::move(counts);
  result.graphs = std::move(all);
  return result;
}

}  // namespace mkc
