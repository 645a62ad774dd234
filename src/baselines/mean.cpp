#include "mkc/baselines/mean.hpp"

#include "mkc/parallel.hpp"
#include "pair_sums.hpp"

namespace mkc {

namespace {

// The factor c with the smallest ||K_II - c G_II|| over the pairs of I x I that other views have, G
// their means. Means of K and G would not do: they are 0 for centred kernels.
double scale_to_own(const PairSums& pairs, const ObservedKernel& view) {
  double product = 0, square = 0;
  for (std::size_t j = 0; j < view.rows.size(); ++j)
    for (std::size_t i = 0; i < view.rows.size(); ++i) {
      const double weight = pairs.weight(view.rows[i], view.rows[j]);
      if (weight == 0) continue;
      const double g = pairs.sum(view.rows[i], view.rows[j]) / weight;
      product += g * view.block(static_cast<Index>(i), static_cast<Index>(j));
      square += g * g;
    }
  return square > 0 ? product / square : 1;
}

Matrix mean_of_others(const Problem& problem, Index m) {
  const ObservedKernel& view = problem.view(m);
  PairSums pairs(problem.n_samples());
  for (Index l = 0; l < problem.n_views(); ++l) {
    const double diagonal = problem.view(l).block.diagonal().mean();
    if (l != m) pairs.add(problem.view(l), diagonal > 0 ? 1 / diagonal : 1);
  }
  const double scale = scale_to_own(pairs, view);
  return (pairs.weight.array() > 0).select(scale * pairs.means(0).array(), view.block.mean());
}

Completion fit_mean(const Problem& problem, const MeanOptions&, const RunOptions& run) {
  Completion completion;
  completion.kernels.resize(static_cast<std::size_t>(problem.n_views()));
  parallel_for(problem.n_views(), run.threads, [&](Index m) {
    completion.kernels[static_cast<std::size_t>(m)] = mean_of_others(problem, m);
  });
  return completion;
}

double working_bytes(Index n_samples, Index n_views) {
  return static_cast<double>(n_samples * n_samples * n_views) * 16;
}

}  // namespace

Method mean_method() {
  return make_method("mean of the other views, entry by entry, scaled to the view", "M^2 N^2",
                     "2 M N^2 doubles", OptionTable<MeanOptions>("mean"), fit_mean, working_bytes);
}

Completion complete_mean(const Problem& problem, const RunOptions& run) {
  return complete(problem, "mean", run);
}

}  // namespace mkc
