#include "pair_sums.hpp"

namespace mkc {

PairSums::PairSums(Index n_samples)
    : sum(Matrix::Zero(n_samples, n_samples)),
      how_often(Eigen::ArrayXXi::Zero(n_samples, n_samples)) {}

void PairSums::add(const ObservedKernel& view, double factor) {
  for (std::size_t j = 0; j < view.rows.size(); ++j)
    for (std::size_t i = 0; i < view.rows.size(); ++i) {
      sum(view.rows[i], view.rows[j]) +=
          factor * view.block(static_cast<Index>(i), static_cast<Index>(j));
      ++how_often(view.rows[i], view.rows[j]);
    }
}

Matrix PairSums::means(double fallback) const {
  return (how_often > 0).select(sum.array() / how_often.max(1).cast<double>(), fallback);
}

double PairSums::overall_mean() const {
  const auto count = static_cast<double>(how_often.cast<Index>().sum());
  return count > 0 ? sum.sum() / count : 0;
}

PairSums sum_over_other_views(const Problem& problem, Index m) {
  PairSums pairs(problem.n_samples());
  for (Index l = 0; l < problem.n_views(); ++l)
    if (l != m) pairs.add(problem.view(l));
  return pairs;
}

}  // namespace mkc
