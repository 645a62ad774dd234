#include "methods/sdp/sdp_objective.hpp"

#include <algorithm>
#include <cmath>

#include "methods/shared/relations.hpp"
#include "numeric/blocks.hpp"

namespace mkc {

namespace {

// Row m of Q = (I - S)' diag(1/b) (I - S): the between-view loss is sum_kl q_kl <X_k, X_l>.
Vector coupling(const Matrix& S, const Vector& b, Index m) {
  const Matrix R = Matrix::Identity(S.rows(), S.cols()) - S;
  return R.transpose() * R.col(m).cwiseQuotient(b);
}

}  // namespace

SdpObjective::SdpObjective(const Problem& problem, double c, SdpScaling scaling)
    : problem_(&problem), c_(c) {
  w_ = b_ = Vector::Ones(problem.n_views());
  sigma_ = Vector::Zero(problem.n_views());
  if (scaling == SdpScaling::paper) return;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const SharedMatrix& K = problem.view(m).block;
    const double n = static_cast<double>(K.rows());
    // n = tr(K) <= ||K||_F^2 where the mean diagonal is 1: the bound acts on a zero kernel only
    w_(m) = K.squaredNorm() > 0 ? K.squaredNorm() : n;
    b_(m) = w_(m) * std::pow(static_cast<double>(problem.n_samples()) / n, 2);
  }
}

void SdpObjective::set_ridge(double tau, const std::vector<Matrix>& X) {
  const Index M = problem_->n_views();
  sigma_.setZero();
  if (tau == 0 || M < 2) return;
  const Matrix G = gram_of_matrices(X);
  for (Index m = 0; m < M; ++m) {
    double sum = 0;
    for (Index l = 0; l < M; ++l) sum += std::max(0.0, G(m, m) + G(l, l) - 2 * G(m, l));
    sigma_(m) = tau * sum / static_cast<double>(M - 1);
  }
}

double SdpObjective::within(const std::vector<Matrix>& X, Index m) const {
  const ObservedKernel& view = problem_->view(m);
  const Matrix X_II = submatrix(X[at(m)], view.rows, view.rows);
  return (X_II - view.block).squaredNorm() / w_(m);
}

double SdpObjective::between(const std::vector<Matrix>& X, const Vector& s_m, Index m) const {
  Matrix R = X[at(m)];
  for (Index l = 0; l < s_m.size(); ++l)
    if (s_m(l) != 0) R -= s_m(l) * X[at(l)];
  return R.squaredNorm() / b_(m);
}

SdpObjective::Terms SdpObjective::terms(const std::vector<Matrix>& X, const Matrix& S) const {
  Terms sum;
  for (Index m = 0; m < problem_->n_views(); ++m) {
    sum.within += within(X, m);
    sum.between += between(X, S.row(m).transpose(), m);
    sum.ridge += sigma_(m) * S.row(m).squaredNorm() / b_(m);
  }
  return sum;
}

double SdpObjective::value(const std::vector<Matrix>& X, const Matrix& S) const {
  const Terms t = terms(X, S);
  return t.within + c_ * (t.between + t.ridge);
}

// In X_m alone the between-view loss is q_mm ||X_m - T||^2 with T = -sum_{k != m} q_mk X_k / q_mm,
// and the within-view loss pulls I x I towards K_m:
//   Z_II = (K_m / w_m + c q_mm T_II) / (1 / w_m + c q_mm), Z = T elsewhere.
SdpObjective::Block SdpObjective::block(const std::vector<Matrix>& X, const Matrix& S,
                                        Index m) const {
  const ObservedKernel& view = problem_->view(m);
  const Vector q = coupling(S, b_, m);
  Matrix Z = Matrix::Zero(problem_->n_samples(), problem_->n_samples());
  for (Index k = 0; k < q.size(); ++k)
    if (k != m && q(k) != 0) Z -= q(k) / q(m) * X[at(k)];

  const double outside = c_ * q(m), inside = 1 / w_(m) + outside;
  const Matrix T_II = submatrix(Z, view.rows, view.rows);
  paste((view.block / w_(m) + outside * T_II) / inside, view.rows, Z);
  return {std::move(Z), {view.rows, inside, outside}};
}

double value_of(const SdpObjective::Block& block, const Matrix& X) {
  const Matrix R = X - block.target;
  const Matrix R_II = submatrix(R, block.weights.block, block.weights.block);
  const double inside = R_II.squaredNorm();
  return block.weights.inside * inside +
         block.weights.outside * std::max(0.0, R.squaredNorm() - inside);
}

}  // namespace mkc
