#include "methods/shared/readout.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "methods/shared/observed_block.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc {

namespace {

// Weights of missing samples that explain more than there is, a_t'K a_t > k_tt, are scaled down.
void shrink_missing(const Indices& missing, const Vector& diagonal, Matrix& A, Matrix& KA) {
  for (const Index t : missing) {
    const double own = A.col(t).dot(KA.col(t));
    if (own <= diagonal(t)) continue;
    const double shrink = std::sqrt(std::max(0.0, diagonal(t)) / own);
    A.col(t) *= shrink;
    KA.col(t) *= shrink;
  }
}

}  // namespace

std::vector<Matrix> kernels_as_solved(const Problem& problem, const Weights& weights,
                                      DiagonalRule rule, const std::optional<Matrix>& relations,
                                      int threads) {
  const bool add = rule == DiagonalRule::add;
  const Matrix diagonals = add ? expected_diagonals(problem, relations) : Matrix();
  std::vector<Matrix> kernels(weights.size());
  parallel_for(problem.n_views(), threads, [&](Index m) {
    const Indices& missing = problem.missing(m);
    Matrix A = weights[at(m)];
    Matrix KA = linalg::multiply(problem.view(m).block, A);
    if (add) shrink_missing(missing, diagonals.col(m), A, KA);
    Matrix& K = kernels[at(m)];
    K = linalg::multiply_tn(A, KA);
    linalg::mirror_lower(K);
    if (add)
      for (const Index t : missing) K(t, t) = std::max(K(t, t), diagonals(t, m));
  });
  return kernels;
}

std::vector<Matrix> with_observed_blocks(const Problem& problem, std::vector<Matrix> kernels) {
  for (Index m = 0; m < problem.n_views(); ++m)
    kernels[at(m)] = keep_observed(problem.view(m), problem.samples(), std::move(kernels[at(m)]));
  return kernels;
}

}  // namespace mkc
