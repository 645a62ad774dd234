#include "methods/shared/observed_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.hpp"
#include "mkc/problem/metrics.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"
#include "numeric/linalg/psd.hpp"

namespace mkc {

namespace {

constexpr double psd_tolerance = 1e-11;     // an answer this close to PSD is left as it is
constexpr std::size_t most_left_out = 384;  // leaving out more rows would not change the choice

// Candidates for lambda, relative to the mean diagonal of G_II.
constexpr double relative_ridges[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10};

bool keeps_block(const ObservedKernel& view, const Matrix& K) {
  const Index n = view.block.rows();
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      if (K(view.rows[at(i)], view.rows[at(j)]) != view.block(i, j)) return false;
  return true;
}

Indices complement(const Indices& rows, Index n) {
  Indices rest;
  std::size_t next = 0;
  for (Index i = 0; i < n; ++i) {
    if (next < rows.size() && rows[next] == i)
      ++next;
    else
      rest.push_back(i);
  }
  return rest;
}

// Mean over `rows` of the relative error with which row t of K is predicted from the others.
double leave_one_out_error(const MatrixRef& K, const linalg::Eigh& G, double lambda,
                           const Indices& rows) {
  const Index n = K.rows(), count = static_cast<Index>(rows.size());
  // Q_.t = V (Lambda + lambda)^-1 V_t'
  const Vector inverse = (G.values.cwiseMax(0).array() + lambda).inverse();
  Matrix right(n, count);
  for (Index c = 0; c < count; ++c)
    right.col(c) = inverse.cwiseProduct(G.vectors.row(rows[at(c)]).transpose());
  Matrix W = linalg::multiply(G.vectors, right);
  for (Index c = 0; c < count; ++c) {
    const Index t = rows[at(c)];
    W.col(c) /= -W(t, c);
    W(t, c) = 0;
  }
  const Matrix predicted = linalg::multiply(K, W);
  double sum = 0;
  Index counted = 0;
  const double zero = zero_norm(K);
  for (Index c = 0; c < count; ++c) {
    const Index t = rows[at(c)];
    const double own = std::pow(predicted(t, c) - K(t, t), 2);
    const double norm = std::sqrt(std::max(0.0, K.col(t).squaredNorm() - K(t, t) * K(t, t)));
    if (norm == 0 || K.col(t).norm() <= zero) continue;
    sum += std::sqrt(std::max(0.0, (predicted.col(c) - K.col(t)).squaredNorm() - own)) / norm;
    ++counted;
  }
  return counted == 0 ? 0 : sum / static_cast<double>(counted);
}

// lambda from all observed rows, of which some are left out, or from these alone.
double chosen_ridge(const ObservedKernel& view, const Strings& samples, const Matrix& G_II,
                    Effort effort) {
  const Indices rows = rows_by_hash(samples, view.rows, most_left_out, "leave-one-out");
  if (effort == Effort::full) return leave_one_out_ridge(view.block, G_II, rows);
  Indices all(rows.size());
  std::iota(all.begin(), all.end(), Index{0});
  return leave_one_out_ridge(submatrix(view.block, rows, rows), submatrix(G_II, rows, rows), all);
}

}  // namespace

double leave_one_out_ridge(const MatrixRef& K_II, const Matrix& G_II, const Indices& rows) {
  const linalg::Eigh G = linalg::eigh(G_II);
  const double scale = std::max(G_II.diagonal().mean(), std::numeric_limits<double>::min());
  double best = relative_ridges[0] * scale;
  double best_error = std::numeric_limits<double>::infinity();
  for (const double relative : relative_ridges) {
    const double error = leave_one_out_error(K_II, G, relative * scale, rows);
    if (error < best_error) {
      best_error = error;
      best = relative * scale;
    }
  }
  return best;
}

Matrix keep_observed(const ObservedKernel& view, const Strings& samples, Matrix answer,
                     Effort effort) {
  linalg::mirror_lower(answer);
  if (keeps_block(view, answer) && linalg::is_psd(answer, psd_tolerance)) return answer;

  const Index n_all = answer.rows();
  const Indices& I = view.rows;
  const Indices T = complement(I, n_all);
  const bool as_it_is = effort == Effort::quick && linalg::is_psd(answer, psd_tolerance);
  const Matrix G = as_it_is ? std::move(answer) : linalg::project_psd(answer);
  const Matrix G_II = submatrix(G, I, I), G_IT = submatrix(G, I, T);
  const double lambda = chosen_ridge(view, samples, G_II, effort);

  // W = (G_II + lambda I)^-1 G_IT
  Matrix ridged = G_II;
  ridged.diagonal().array() += lambda;
  const auto factor = linalg::Cholesky::factor(std::move(ridged));
  const Matrix W = factor ? factor->solve(G_IT) : Matrix::Zero(G_IT.rows(), G_IT.cols());
  return extend_block(view.block, I, T, W, G);
}

Matrix extend_block(const MatrixRef& K_II, const Indices& I, const Indices& T, const Matrix& W,
                    const Matrix& G) {
  const Matrix K_IT = linalg::multiply(K_II, W);
  Matrix K_TT = submatrix(G, T, T);
  linalg::gemm(1, W, linalg::Op::transpose, K_IT, linalg::Op::none, 1, K_TT);
  linalg::gemm(-1, submatrix(G, I, T), linalg::Op::transpose, W, linalg::Op::none, 1, K_TT);
  return join_blocks(K_II, I, K_IT, T, K_TT);
}

Matrix join_blocks(const MatrixRef& K_II, const Indices& I, const Matrix& K_IT, const Indices& T,
                   const Matrix& K_TT) {
  const auto N = static_cast<Index>(I.size() + T.size());
  Matrix K(N, N);
  paste(K_II, I, K);
  for (std::size_t t = 0; t < T.size(); ++t) {
    const auto c = static_cast<Index>(t);
    for (std::size_t i = 0; i < I.size(); ++i) K(I[i], T[t]) = K_IT(static_cast<Index>(i), c);
    for (std::size_t u = t; u < T.size(); ++u)
      K(T[u], T[t]) = K(T[t], T[u]) = K_TT(static_cast<Index>(u), c);
  }
  // the transpose of K_IT, some columns of K at a time, which stay in the cache
  constexpr std::size_t columns = 32;
  for (std::size_t first = 0; first < I.size(); first += columns)
    for (std::size_t t = 0; t < T.size(); ++t)
      for (std::size_t i = first; i < std::min(first + columns, I.size()); ++i)
        K(T[t], I[i]) = K_IT(static_cast<Index>(i), static_cast<Index>(t));
  return K;
}

}  // namespace mkc
