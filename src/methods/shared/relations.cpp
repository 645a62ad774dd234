#include "methods/shared/relations.hpp"

#include "mkc/problem/problem.hpp"
#include "numeric/blocks.hpp"
#include "numeric/solvers/simplex_qp.hpp"

namespace mkc {

namespace {

Indices all_but(Index m, Index n_views) {
  Indices others;
  for (Index l = 0; l < n_views; ++l)
    if (l != m) others.push_back(l);
  return others;
}

}  // namespace

Vector relations_of_view(const MatrixRef& gram, Index m, double ridge) {
  Vector s = Vector::Zero(gram.rows());
  const Indices others = all_but(m, gram.rows());
  if (others.empty()) return s;
  // 1/2 ||x_m - sum_l s_l x_l||^2 = 1/2 s'Hs - b's + const with H = G_others, b = G_others,m
  Matrix H = submatrix(gram, others, others);
  H.diagonal().array() += ridge;
  const Vector b = submatrix(gram, others, {m});
  const Vector weights = solvers::simplex_qp(H, b);
  for (std::size_t l = 0; l < others.size(); ++l) s(others[l]) = weights(static_cast<Index>(l));
  return s;
}

Matrix equal_relations(Index n_views) {
  if (n_views < 2) return Matrix::Zero(n_views, n_views);
  Matrix S = Matrix::Constant(n_views, n_views, 1.0 / static_cast<double>(n_views - 1));
  S.diagonal().setZero();
  return S;
}

Matrix gram_of_matrices(const std::vector<Matrix>& X) {
  const Index M = static_cast<Index>(X.size());
  Matrix G(M, M);
  for (Index k = 0; k < M; ++k)
    for (Index l = 0; l <= k; ++l) G(k, l) = G(l, k) = X[at(k)].cwiseProduct(X[at(l)]).sum();
  return G;
}

}  // namespace mkc
