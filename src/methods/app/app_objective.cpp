#include "methods/app/app_objective.hpp"

#include <algorithm>
#include <cmath>

#include "methods/shared/relations.hpp"
#include "numeric/blocks.hpp"
#include "numeric/l21.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::approx {

namespace {

View make_view(const Problem& problem, Index m, double c1, LossScaling scaling) {
  const ObservedKernel& kernel = problem.view(m);
  View view;
  view.K = kernel.block;
  view.K2 = linalg::gram_of_columns(kernel.block);
  view.rows = kernel.rows;
  view.missing = problem.missing(m);
  const double share =
      static_cast<double>(kernel.rows.size()) / static_cast<double>(problem.n_samples());
  const double size = view.K.squaredNorm();
  view.b = size > 0 ? c1 * share * share / size : 0;  // a zero kernel costs nothing
  if (scaling == LossScaling::paper) view.b = c1;
  return view;
}

// mean over l of ||X_m - X_l||^2
double mean_distance(const Matrix& gram, Index m) {
  const Index M = gram.rows();
  double sum = 0;
  for (Index l = 0; l < M; ++l) sum += std::max(0.0, gram(m, m) + gram(l, l) - 2 * gram(m, l));
  return M > 1 ? sum / static_cast<double>(M - 1) : 0;
}

}  // namespace

std::vector<Matrix> missing_columns(const Problem& problem, const Weights& weights) {
  std::vector<Matrix> T;
  for (Index m = 0; m < problem.n_views(); ++m)
    T.emplace_back(weights[at(m)](Eigen::all, problem.missing(m)));
  return T;
}

Weights full_weights(const Problem& problem, const std::vector<Matrix>& T) {
  Weights weights;
  for (Index m = 0; m < problem.n_views(); ++m) {
    Matrix A = Matrix::Zero(T[at(m)].rows(), problem.n_samples());
    A(Eigen::all, problem.missing(m)) = T[at(m)];
    weights.push_back(carrier(problem.view(m), std::move(A)));
  }
  return weights;
}

Block make_block(const View& view, Matrix T) {
  Matrix KT = linalg::multiply(view.K, T);
  Matrix TKT = linalg::multiply_tn(T, KT);
  linalg::mirror_lower(TKT);
  return {std::move(T), std::move(KT), std::move(TKT)};
}

Matrix smooth_gradient(const View& view, const Block& block, const Target& target) {
  Matrix G(block.T.rows(), block.T.cols());
  linalg::symm(4 * target.q, view.K, block.KT - target.C_IU, 0, G);
  linalg::gemm(4 * target.q, block.KT, linalg::Op::none, block.TKT - target.C_UU, linalg::Op::none,
               1, G);
  return G;
}

Objective::Objective(const Problem& problem, double c1, double c2, double tau,
                     const Weights& reference, LossScaling scaling)
    : n_samples_(problem.n_samples()), penalty_(c2) {
  if (scaling == LossScaling::unit) penalty_ /= static_cast<double>(problem.n_samples());
  for (Index m = 0; m < problem.n_views(); ++m)
    views_.push_back(make_view(problem, m, c1, scaling));
  const Point start = evaluated(missing_columns(problem, reference));
  for (Index m = 0; m < n_views(); ++m) {
    View& view = views_[at(m)];
    view.sigma = tau * mean_distance(start.gram, m);
    const double largest = start.T[at(m)].rowwise().squaredNorm().maxCoeff();
    if (largest > 0) view.scale = std::sqrt(largest);
  }
}

Point Objective::evaluated(std::vector<Matrix> T) const {
  Point point;
  point.T.resize(views_.size());
  point.X = Matrix::Zero(n_samples_ * n_samples_, n_views());
  for (Index m = 0; m < n_views(); ++m) {
    Eigen::Map<Matrix> X(point.X.col(m).data(), n_samples_, n_samples_);
    X(view(m).rows, view(m).rows) = view(m).K;
    set_block(m, make_block(view(m), std::move(T[at(m)])), point);
  }
  minimise_relations(point);
  return point;
}

void Objective::set_block(Index m, Block block, Point& point) const {
  const Indices &I = view(m).rows, &U = view(m).missing;
  Eigen::Map<Matrix> X(point.X.col(m).data(), n_samples_, n_samples_);
  X(I, U) = block.KT;
  X(U, I) = block.KT.transpose();
  X(U, U) = block.TKT;
  point.T[at(m)] = std::move(block.T);
}

void Objective::minimise_relations(Point& point) const {
  const Index M = n_views();
  point.gram = linalg::gram_of_columns(point.X);
  point.S = Matrix::Zero(M, M);
  for (Index m = 0; m < M; ++m)
    point.S.row(m) = relations_of_view(point.gram, m, view(m).sigma).transpose();
}

Terms Objective::terms(const Point& point) const {
  Terms terms;
  for (Index m = 0; m < n_views(); ++m) {
    Vector r = -point.S.row(m);  // X_m - sum_l s_ml X_l = sum_l r_l X_l
    r(m) += 1;
    terms.between += view(m).b * std::max(0.0, r.dot(point.gram * r));
    terms.ridge += view(m).b * view(m).sigma * point.S.row(m).squaredNorm();
    terms.l21 += prox::L21(penalty_).value(point.T[at(m)]);
  }
  return terms;
}

Target Objective::target(const Point& point, Index m) const {
  // The between-view losses are sum_kl Q_kl <X_k, X_l> with Q = (I - S)' diag(b) (I - S), so that
  // as a function of X_m they are q ||X_m - C||^2 with q = Q_mm and C = -sum_{k != m} Q_mk X_k / q.
  const Indices &I = view(m).rows, &U = view(m).missing;
  const Matrix R = Matrix::Identity(n_views(), n_views()) - point.S;
  Vector b(n_views());
  for (Index l = 0; l < n_views(); ++l) b(l) = view(l).b;
  const Vector Q = R.transpose() * b.cwiseProduct(R.col(m));

  Matrix C = Matrix::Zero(n_samples_, static_cast<Index>(U.size()));
  if (Q(m) > 0)
    for (Index k = 0; k < n_views(); ++k)
      if (k != m && Q(k) != 0)
        for (std::size_t t = 0; t < U.size(); ++t)
          C.col(static_cast<Index>(t)) -= Q(k) / Q(m) * kernel(point, k).col(U[t]);
  return {Q(m), C(I, Eigen::all), C(U, Eigen::all)};
}

Block Objective::block(const Point& point, Index m) const {
  const auto X = kernel(point, m);
  return {point.T[at(m)], X(view(m).rows, view(m).missing), X(view(m).missing, view(m).missing)};
}

double Objective::residual(const Point& point) const {
  double distance = 0, size = 0;
  for (Index m = 0; m < n_views(); ++m) {
    if (view(m).missing.empty()) continue;
    const Target to = target(point, m);
    const Block here = block(point, m);
    const double d = prox::L21(penalty_).distance(here.T, smooth_gradient(view(m), here, to));
    distance += d * d;
    size += 16 * to.q * to.q * linalg::multiply(view(m).K, to.C_IU).squaredNorm();
  }
  return size > 0 ? std::sqrt(distance / size) : std::sqrt(distance);
}

}  // namespace mkc::approx
