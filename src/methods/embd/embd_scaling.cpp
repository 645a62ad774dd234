#include "methods/embd/embd_scaling.hpp"

#include <algorithm>

namespace mkc {

LossWeights loss_weights(const Problem& problem, EmbeddingForm form, LossScaling scaling, double c1,
                         double c2) {
  const auto N = static_cast<double>(problem.n_samples()),
             M = static_cast<double>(problem.n_views());
  LossWeights weights{Vector::Ones(problem.n_views()), c1, c2};
  if (scaling == LossScaling::paper) return weights;
  const bool unit = scaling == LossScaling::unit;
  weights.between = unit ? c1 / N : c1 / (M * N);
  weights.l21 = unit ? c2 / N : c2 / M;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const SharedMatrix& K = problem.view(m).block;
    const auto n = static_cast<double>(K.rows());
    const double zero_costs = form == EmbeddingForm::features ? K.trace() : K.squaredNorm();
    weights.within(m) = unit ? 1 / std::max(zero_costs, 1e-300) : 1 / (M * n * n);
  }
  return weights;
}

}  // namespace mkc
