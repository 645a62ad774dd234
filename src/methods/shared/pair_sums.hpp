#pragma once

#include "mkc/problem/problem.hpp"

namespace mkc {

/// Weighted sums of kernel values over the views that have a pair of samples.
struct PairSums {
  explicit PairSums(Index n_samples);

  /// Adds `factor` times the view's values, each counted with `view_weight`.
  void add(const ObservedKernel& view, double factor = 1, double view_weight = 1);

  /// The weighted mean over the views that have the pair; `fallback` for a pair that no view has.
  Matrix means(double fallback) const;

  /// The weighted mean of all entries; 0 where there are none.
  double overall_mean() const;

  Matrix sum;     // (N, N)
  Matrix weight;  // (N, N) of the views that have the pair; 0: none has it
};

/// Mean diagonal of every view, above 0. (M)
Vector mean_diagonals(const Problem& problem);

/// Over all views but m.
PairSums sum_over_other_views(const Problem& problem, Index m);

}  // namespace mkc
