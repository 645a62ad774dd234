#include "methods/shared/reconstruction.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "methods/shared/observed_block.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc {

namespace {

// a_t = -Q_.t / Q_tt without t, for the samples the view has. (n, n), zero diagonal
Matrix leave_one_out(const MatrixRef& K, double relative_ridge) {
  Matrix Q = factor_with_ridge(K, relative_ridge).inverse();
  const Vector scale = -Q.diagonal().cwiseInverse();
  Q = Q * scale.asDiagonal();
  Q.diagonal().setZero();
  return Q;
}

// Adds the weights of the missing samples of view m that view l has to `A`, and counts them.
void add_from_view(const ObservedKernel& view, const ObservedKernel& other, const Indices& missing,
                   Index n_samples, double relative_ridge, Matrix& A, Vector& count) {
  const Indices in_other = positions_in(other, n_samples);
  const CommonSamples common = common_samples(view, in_other);
  Indices targets_there, targets;
  for (const Index t : missing)
    if (in_other[at(t)] >= 0) {
      targets.push_back(t);
      targets_there.push_back(in_other[at(t)]);
    }
  if (common.here.empty() || targets.empty()) return;
  const Matrix K_RR = submatrix(other.block, common.there, common.there);
  const Matrix K_RT = submatrix(other.block, common.there, targets_there);
  const Matrix W = factor_with_ridge(K_RR, relative_ridge).solve(K_RT);
  for (std::size_t c = 0; c < targets.size(); ++c) {
    for (std::size_t i = 0; i < common.here.size(); ++i)
      A(common.here[i], targets[c]) += W(static_cast<Index>(i), static_cast<Index>(c));
    count(targets[c]) += 1;
  }
}

Matrix start_of_view(const Problem& problem, Index m, double relative_ridge) {
  const ObservedKernel& view = problem.view(m);
  const Index n = view.block.rows(), N = problem.n_samples();
  Matrix A = Matrix::Zero(n, N);
  Vector count = Vector::Zero(N);
  for (Index l = 0; l < problem.n_views(); ++l)
    if (l != m)
      add_from_view(view, problem.view(l), problem.missing(m), N, relative_ridge, A, count);
  for (const Index t : problem.missing(m)) {
    if (count(t) > 0)
      A.col(t) /= count(t);
    else
      A.col(t).setConstant(1.0 / static_cast<double>(n));
  }
  const Matrix B = leave_one_out(view.block, relative_ridge);
  for (Index i = 0; i < n; ++i) A.col(view.rows[at(i)]) = B.col(i);
  return A;
}

bool is_constant(const Vector& diagonal, double mean) {
  return (diagonal.array() - mean).abs().maxCoeff() <= 1e-6 * mean;
}

// k_tt of every view, 0 where it is not observed. (N, M)
Matrix observed_diagonals(const Problem& problem) {
  Matrix diagonals = Matrix::Zero(problem.n_samples(), problem.n_views());
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    for (std::size_t i = 0; i < view.rows.size(); ++i)
      diagonals(view.rows[i], m) = view.block.diagonal()(static_cast<Index>(i));
  }
  return diagonals;
}

// Mean diagonal of view m over that of view l, on the samples both have (else on all of each).
double diagonal_ratio(const Problem& problem, const Matrix& diagonals, Index m, Index l) {
  double here = 0, there = 0;
  for (const Index t : problem.view(m).rows)
    if (problem.observed()(t, l)) {
      here += diagonals(t, m);
      there += diagonals(t, l);
    }
  if (there > 0) return here / there;
  const double mean = problem.view(l).block.diagonal().mean();
  return mean > 0 ? problem.view(m).block.diagonal().mean() / mean : 0;
}

}  // namespace

Indices positions_in(const ObservedKernel& view, Index n_samples) {
  Indices positions(at(n_samples), -1);
  for (std::size_t i = 0; i < view.rows.size(); ++i)
    positions[at(view.rows[i])] = static_cast<Index>(i);
  return positions;
}

CommonSamples common_samples(const ObservedKernel& view, const Indices& positions_in_other) {
  CommonSamples common;
  for (std::size_t i = 0; i < view.rows.size(); ++i)
    if (const Index there = positions_in_other[at(view.rows[i])]; there >= 0) {
      common.here.push_back(static_cast<Index>(i));
      common.there.push_back(there);
    }
  return common;
}

linalg::Cholesky factor_with_ridge(const MatrixRef& K, double relative_ridge, double smallest) {
  const double mean = std::max(K.diagonal().mean(), 1e-300);
  for (double relative = relative_ridge;; relative = std::max(10 * relative, smallest)) {
    Matrix ridged = K;
    ridged.diagonal().array() += relative * mean;
    if (auto factor = linalg::Cholesky::factor(std::move(ridged))) return *std::move(factor);
  }
}

Weights leave_one_out_weights(const Problem& problem, double relative_ridge, int threads) {
  Weights weights(at(problem.n_views()));
  parallel_for(problem.n_views(), threads,
               [&](Index m) { weights[at(m)] = start_of_view(problem, m, relative_ridge); });
  return weights;
}

Matrix carrier(const ObservedKernel& view, Matrix weights) {
  for (std::size_t i = 0; i < view.rows.size(); ++i) {
    weights.col(view.rows[i]).setZero();
    weights(static_cast<Index>(i), view.rows[i]) = 1;
  }
  return weights;
}

Matrix expected_diagonals(const Problem& problem, const std::optional<Matrix>& relations) {
  const Index N = problem.n_samples(), M = problem.n_views();
  const Matrix diagonals = observed_diagonals(problem);
  Matrix expected(N, M);
  for (Index m = 0; m < M; ++m) {
    const double mean = problem.view(m).block.diagonal().mean();
    expected.col(m).setConstant(mean);
    if (is_constant(problem.view(m).block.diagonal(), mean)) continue;
    Vector weighted = Vector::Zero(N), weight = Vector::Zero(N);
    Vector plain = Vector::Zero(N), count = Vector::Zero(N);
    for (Index l = 0; l < M; ++l) {
      if (l == m) continue;
      const double scale = diagonal_ratio(problem, diagonals, m, l);
      const double s = relations ? (*relations)(m, l) : 1;
      for (const Index t : problem.view(l).rows) {
        weighted(t) += s * scale * diagonals(t, l);
        weight(t) += s;
        plain(t) += scale * diagonals(t, l);
        count(t) += 1;
      }
    }
    for (Index t = 0; t < N; ++t) {
      if (weight(t) > 1e-12)
        expected(t, m) = weighted(t) / weight(t);
      else if (count(t) > 0)  // S gives no weight to any view that has t
        expected(t, m) = plain(t) / count(t);
    }
  }
  return expected;
}

void settle_diagonal(const Indices& missing, const Vector& diagonal, Matrix& K) {
  for (const Index t : missing) {
    const double expected = std::max(0.0, diagonal(t));
    if (K(t, t) > expected) {
      const double shrink = std::sqrt(expected / K(t, t));
      K.row(t) *= shrink;
      K.col(t) *= shrink;
    }
    K(t, t) = expected;
  }
}

Matrix reconstructed_kernel(const ObservedKernel& view, const Matrix& weights, DiagonalRule rule,
                            const Vector& diagonal) {
  const Index N = weights.cols();
  Indices missing;
  const Indices here = positions_in(view, N);
  for (Index t = 0; t < N; ++t)
    if (here[at(t)] < 0) missing.push_back(t);

  Matrix T = weights(Eigen::all, missing);          // (n, |missing|)
  Matrix KT = linalg::multiply(view.block, T);      // K_IT
  Vector own = T.cwiseProduct(KT).colwise().sum();  // a_t'K a_t
  if (rule == DiagonalRule::add)
    for (std::size_t c = 0; c < missing.size(); ++c) {
      const auto j = static_cast<Index>(c);
      if (own(j) <= diagonal(missing[c])) continue;
      const double shrink = std::sqrt(std::max(0.0, diagonal(missing[c])) / own(j));
      T.col(j) *= shrink;
      KT.col(j) *= shrink;
    }
  const Matrix TKT = linalg::multiply_tn(T, KT);

  Matrix K = join_blocks(view.block, view.rows, KT, missing, TKT);
  if (rule == DiagonalRule::add)
    for (const Index t : missing) K(t, t) = std::max(K(t, t), diagonal(t));
  return K;
}

std::vector<Matrix> reconstructed_kernels(const Problem& problem, const Weights& weights,
                                          DiagonalRule rule, const std::optional<Matrix>& relations,
                                          int threads) {
  const Matrix diagonals = expected_diagonals(problem, relations);
  std::vector<Matrix> kernels(weights.size());
  parallel_for(problem.n_views(), threads, [&](Index m) {
    kernels[at(m)] = reconstructed_kernel(problem.view(m), weights[at(m)], rule, diagonals.col(m));
  });
  return kernels;
}

}  // namespace mkc
