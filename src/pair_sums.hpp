#pragma once

#include "mkc/problem.hpp"

namespace mkc {

/// Sums of kernel values over the views that have a pair of samples.
struct PairSums {
  explicit PairSums(Index n_samples);

  void add(const ObservedKernel& view, double factor = 1);

  /// The mean over the views that have the pair; `fallback` for a pair that no view has.
  Matrix means(double fallback) const;

  /// The sum of all entries over their number; 0 where there are none.
  double overall_mean() const;

  Matrix sum;                 // (N, N)
  Eigen::ArrayXXi how_often;  // (N, N) number of views that have the pair
};

/// Over all views but m.
PairSums sum_over_other_views(const Problem& problem, Index m);

}  // namespace mkc
