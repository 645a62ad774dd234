#include "methods/mean.hpp"

#include "base/parallel.hpp"
#include "methods/make_method.hpp"
#include "methods/shared/pair_sums.hpp"

namespace mkc {

namespace {

constexpr double centred = 1e-8;  // mean of a block beside its diagonal: 0 up to rounding

// mean(K_II) / mean of the other views' means on the pairs of I x I that they have; the ratio of
// the mean diagonals where either is centred, and its mean 0 up to rounding.
double scale_to_own_mean(const PairSums& pairs, const ObservedKernel& view, double own_mean) {
  double sum = 0, diagonal = 0;
  Index count = 0, on_diagonal = 0;
  for (const Index j : view.rows)
    for (const Index i : view.rows)
      if (pairs.weight(i, j) > 0) {
        const double mean = pairs.sum(i, j) / pairs.weight(i, j);
        sum += mean;
        ++count;
        if (i == j) {
          diagonal += mean;
          ++on_diagonal;
        }
      }
  if (count == 0) return 1;
  const double own_diagonal = view.block.diagonal().mean();
  const double mean = sum / static_cast<double>(count);
  const double others = on_diagonal > 0 ? diagonal / static_cast<double>(on_diagonal) : 0;
  if (own_mean > centred * own_diagonal && mean > centred * others) return own_mean / mean;
  return others > 0 ? own_diagonal / others : 1;
}

Matrix mean_of_others(const Problem& problem, Index m) {
  const ObservedKernel& view = problem.view(m);
  const double own_mean = view.block.mean();
  const PairSums pairs = sum_over_other_views(problem, m);
  const double scale = scale_to_own_mean(pairs, view, own_mean);
  return (pairs.weight.array() > 0).select(scale * pairs.means(0).array(), own_mean);
}

Completion fit_mean(const Problem& problem, const MeanOptions&, const RunOptions& run) {
  Completion completion;
  completion.kernels.resize(static_cast<std::size_t>(problem.n_views()));
  parallel_for(problem.n_views(), run.threads,
               [&](Index m) { completion.kernels[at(m)] = mean_of_others(problem, m); });
  return completion;
}

double working_bytes(Index n_samples, Index n_views, int threads) {
  return repair_bytes(n_samples, n_views, threads);
}

}  // namespace

Method mean_method() {
  return make_method("mean of the other views, entry by entry, scaled to the view's own mean",
                     "M^2 N^2", "5.3 N^2 doubles per thread", OptionTable<MeanOptions>("mean"),
                     fit_mean, working_bytes);
}

}  // namespace mkc
