#include "methods/shared/pair_sums.hpp"

#include <algorithm>
#include <limits>

namespace mkc {

PairSums::PairSums(Index n_samples)
    : sum(Matrix::Zero(n_samples, n_samples)), weight(Matrix::Zero(n_samples, n_samples)) {}

void PairSums::add(const ObservedKernel& view, double factor, double view_weight) {
  const double times = factor * view_weight;
  for (std::size_t j = 0; j < view.rows.size(); ++j)
    for (std::size_t i = 0; i < view.rows.size(); ++i) {
      sum(view.rows[i], view.rows[j]) +=
          times * view.block(static_cast<Index>(i), static_cast<Index>(j));
      weight(view.rows[i], view.rows[j]) += view_weight;
    }
}

Matrix PairSums::means(double fallback) const {
  return (weight.array() > 0).select(sum.array() / weight.array(), fallback);
}

double PairSums::overall_mean() const {
  const double total = weight.sum();
  return total > 0 ? sum.sum() / total : 0;
}

Vector mean_diagonals(const Problem& problem) {
  Vector means(problem.n_views());
  for (Index m = 0; m < problem.n_views(); ++m)
    means(m) =
        std::max(problem.view(m).block.diagonal().mean(), std::numeric_limits<double>::min());
  return means;
}

PairSums sum_over_other_views(const Problem& problem, Index m) {
  PairSums pairs(problem.n_samples());
  for (Index l = 0; l < problem.n_views(); ++l)
    if (l != m) pairs.add(problem.view(l));
  return pairs;
}

}  // namespace mkc
