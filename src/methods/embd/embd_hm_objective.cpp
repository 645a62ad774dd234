#include "methods/embd/embd_hm_objective.hpp"

#include <cmath>
#include <map>

#include "base/parallel.hpp"
#include "methods/shared/gather.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc {

namespace {

// Keeping one N x N matrix per pattern is worth it up to this many patterns per view.
constexpr std::size_t patterns_kept_per_view = 3;

}  // namespace

HomogeneousObjective::HomogeneousObjective(const Problem& problem, Weights start,
                                           const LossWeights& weights, int threads)
    : problem_(problem),
      threads_(threads_for(std::pow(static_cast<double>(problem.n_samples()), 3), threads)) {
  const Index N = problem.n_samples(), M = problem.n_views();
  carriers_.resize(at(M));
  kernels_.resize(at(M));
  parallel_for(M, threads, [&](Index m) {
    const ObservedKernel& view = problem.view(m);
    // K~ = w H'KH: the kernel completed by the start
    kernels_[at(m)] = reconstructed_kernel(view, start[at(m)], DiagonalRule::none, Vector());
    kernels_[at(m)] *= weights.within(m);
    carriers_[at(m)] = carrier(view, std::move(start[at(m)]));
  });
  mean_hessian_ = Matrix::Zero(N, N);
  for (Index m = 0; m < M; ++m) {
    const double share = static_cast<double>(problem.view(m).rows.size()) / double(N);
    mean_hessian_ += 2 * share * kernels_[at(m)];
  }
  const Vector how_often = problem.observed().cast<double>().rowwise().sum();
  penalties_ = {weights.l21 * how_often};
  inverse_.resize(N, N);
  group_columns();
  build_linear_term();
}

void HomogeneousObjective::group_columns() {
  std::map<Indices, Indices> patterns;  // views -> samples that have just these
  for (Index i = 0; i < problem_.n_samples(); ++i) {
    Indices views;
    for (Index m = 0; m < problem_.n_views(); ++m)
      if (problem_.observed()(i, m)) views.push_back(m);
    patterns[views].push_back(i);
  }
  if (patterns.size() <= patterns_kept_per_view * kernels_.size()) {
    for (const auto& [views, samples] : patterns) {
      ColumnGroup group{samples, kernels_[at(views.front())], {}, {}};
      for (std::size_t v = 1; v < views.size(); ++v) group.gram += kernels_[at(views[v])];
      groups_.push_back(std::move(group));
    }
  } else {
    for (Index m = 0; m < problem_.n_views(); ++m)
      groups_.push_back({problem_.view(m).rows, kernels_[at(m)], {}, {}});
  }
  for (auto& group : groups_) {
    group.columns.resize(problem_.n_samples(), static_cast<Index>(group.samples.size()));
    group.product = group.columns;
  }
}

// R = 2 sum_m K~_m diag(v_m) without its diagonal; the constant is sum_m sum_{t in I_m} k~_tt.
void HomogeneousObjective::build_linear_term() {
  const Index N = problem_.n_samples();
  linear_ = Matrix::Zero(N, N);
  for (Index m = 0; m < problem_.n_views(); ++m)
    for (const Index t : problem_.view(m).rows) {
      linear_.col(t) += 2 * kernels_[at(m)].col(t);
      constant_ += kernels_[at(m)](t, t);
    }
  linear_.diagonal().setZero();
}

// HA = 2 sum_m K~_m A diag(v_m), group of columns by group of columns
void HomogeneousObjective::apply(const solvers::Blocks& A, solvers::Blocks& HA) {
  parallel_for(static_cast<Index>(groups_.size()), threads_, [&](Index g) {
    ColumnGroup& group = groups_[at(g)];
    gather_columns(A[0], group.samples, group.columns);
    linalg::gemm(2, group.gram, linalg::Op::none, group.columns, linalg::Op::none, 0,
                 group.product);
  });
  HA[0].setZero();
  for (const ColumnGroup& group : groups_)
    for (std::size_t c = 0; c < group.samples.size(); ++c)
      HA[0].col(group.samples[c]) += group.product.col(static_cast<Index>(c));
  HA[0].diagonal().setZero();
}

void HomogeneousObjective::prepare(const solvers::BlockVectors& weights) {
  // Every row has a positive weight unless c2 = 0; then a trace of ridge keeps it invertible.
  const double mean = std::max(mean_hessian_.diagonal().mean(), 1e-300);
  for (double ridge = 1e-10;; ridge *= 10) {
    inverse_ = mean_hessian_;
    inverse_.diagonal() += weights[0];
    inverse_.diagonal().array() += ridge * mean;
    if (linalg::invert_positive_definite(inverse_)) break;
  }
}

// Z = P R with P the inverse above, corrected so that the diagonal of Z is zero:
// z_t -= p_t z_tt / p_tt is the solution of the same system with the constraint z_tt = 0.
void HomogeneousObjective::precondition(const solvers::Blocks& R, solvers::Blocks& Z) const {
  constexpr Index tile = 128;
  const Index N = inverse_.rows(), tiles = (N + tile - 1) / tile;
  parallel_for(tiles, threads_, [&](Index k) {
    const Index first = k * tile, width = std::min(tile, N - first);
    linalg::gemm(1, inverse_, linalg::Op::none, R[0].middleCols(first, width), linalg::Op::none, 0,
                 Z[0].middleCols(first, width));
    for (Index t = first; t < first + width; ++t) {
      Z[0].col(t) -= inverse_.col(t) * (Z[0](t, t) / inverse_(t, t));
      Z[0](t, t) = 0;
    }
  });
}

std::vector<std::pair<std::string, double>> HomogeneousObjective::terms(const solvers::Blocks& A) {
  solvers::Blocks HA = A;
  apply(A, HA);
  const double within =
      0.5 * A[0].cwiseProduct(HA[0]).sum() - linear_.cwiseProduct(A[0]).sum() + constant_;
  return {{"within", within}, {"l21", penalties_[0].dot(A[0].rowwise().norm())}};
}

Weights HomogeneousObjective::weights_of_views(const Matrix& A) const {
  Weights weights(kernels_.size());
  parallel_for(problem_.n_views(), threads_,
               [&](Index m) { weights[at(m)] = linalg::multiply(carriers_[at(m)], A); });
  return weights;
}

}  // namespace mkc
