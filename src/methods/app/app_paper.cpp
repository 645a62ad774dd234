#include "methods/app/app_paper.hpp"

#include "methods/shared/relations.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::approx {

PaperObjective::PaperObjective(const Problem& problem, Vector within, Vector between, double l21)
    : problem_(problem),
      within_(std::move(within)),
      between_(std::move(between)),
      l21_(l21),
      S_(equal_relations(problem.n_views())) {
  const Index N = problem.n_samples();
  Index next = 0;
  for (const auto& view : problem.views()) {
    offset_.push_back(next);
    next += view.block.rows();
    KA_.emplace_back(view.block.rows(), N);
    X_.emplace_back(N, N);
    R_.emplace_back(N, N);
  }
}

void PaperObjective::find_kernels(const Matrix& A) {
  for (Index m = 0; m < problem_.n_views(); ++m) {
    const Matrix A_m = block(A, m);
    linalg::symm(1, problem_.view(m).block, A_m, 0, KA_[at(m)]);
    linalg::gemm(1, A_m, linalg::Op::transpose, KA_[at(m)], linalg::Op::none, 0, X_[at(m)]);
    linalg::mirror_lower(X_[at(m)]);
  }
}

PaperObjective::Losses PaperObjective::losses(const Matrix& A) {
  find_kernels(A);
  Losses sum;
  for (Index m = 0; m < problem_.n_views(); ++m) {
    const ObservedKernel& view = problem_.view(m);
    for (Index q = 0; q < view.block.cols(); ++q)
      for (Index p = 0; p < view.block.rows(); ++p) {
        const double d = X_[at(m)](view.rows[at(p)], view.rows[at(q)]) - view.block(p, q);
        sum.within += within_(m) * d * d;
      }
    R_[at(m)] = X_[at(m)];
    for (Index l = 0; l < problem_.n_views(); ++l)
      if (l != m && S_(m, l) != 0) R_[at(m)] -= S_(m, l) * X_[at(l)];
    if (problem_.n_views() > 1) sum.between += between_(m) * R_[at(m)].squaredNorm();
  }
  return sum;
}

double PaperObjective::value(const Matrix& A) {
  const Losses sum = losses(A);
  return sum.within + sum.between;
}

// With W_m = dF/dX_m, which is symmetric: dF/dA_m = 2 K_mA_m W_m,
// W_m = 2 w_m [X_m - K_m]_II + 2 b_m R_m - 2 sum_l s_lm b_l R_l
double PaperObjective::value_and_gradient(const Matrix& A, Matrix& G) {
  const Losses sum = losses(A);
  G.resize(A.rows(), A.cols());
  Matrix W, G_m;
  for (Index m = 0; m < problem_.n_views(); ++m) {
    const ObservedKernel& view = problem_.view(m);
    W.setZero(A.cols(), A.cols());
    if (problem_.n_views() > 1) W = 2 * between_(m) * R_[at(m)];
    for (Index l = 0; l < problem_.n_views(); ++l)
      if (l != m && S_(l, m) != 0) W -= 2 * S_(l, m) * between_(l) * R_[at(l)];
    for (Index q = 0; q < view.block.cols(); ++q)
      for (Index p = 0; p < view.block.rows(); ++p) {
        const Index i = view.rows[at(p)], j = view.rows[at(q)];
        W(i, j) += 2 * within_(m) * (X_[at(m)](i, j) - view.block(p, q));
      }
    G_m.resize(view.block.rows(), A.cols());
    linalg::gemm(2, KA_[at(m)], linalg::Op::none, W, linalg::Op::none, 0, G_m);
    G.middleRows(offset_[at(m)], view.block.rows()) = G_m;
  }
  return sum.within + sum.between;
}

void PaperObjective::update_relations(const Matrix& A) {
  if (problem_.n_views() < 2) return;
  find_kernels(A);
  const Matrix gram = gram_of_matrices(X_);
  for (Index m = 0; m < problem_.n_views(); ++m) S_.row(m) = relations_of_view(gram, m).transpose();
}

std::vector<std::pair<std::string, double>> PaperObjective::terms(const Matrix& A) {
  const Losses sum = losses(A);
  return {{"within", sum.within}, {"between", sum.between}, {"l21", penalty(A)}};
}

Matrix PaperObjective::stack(const Weights& weights) const {
  const Index n = offset_.back() + problem_.views().back().block.rows();
  Matrix A(n, problem_.n_samples());
  for (Index m = 0; m < problem_.n_views(); ++m)
    A.middleRows(offset_[at(m)], weights[at(m)].rows()) = weights[at(m)];
  return A;
}

Weights PaperObjective::unstack(const Matrix& A) const {
  Weights weights;
  for (Index m = 0; m < problem_.n_views(); ++m) weights.emplace_back(block(A, m));
  return weights;
}

}  // namespace mkc::approx
