#include "support/slow_transfer.hpp"

#include <cmath>

#include "numeric/blocks.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc::test {

namespace {

Matrix inverse(Matrix A, double ridge) {
  for (Index i = 0; i < A.rows(); ++i) A(i, i) += ridge;
  return linalg::Cholesky::factor(A)->inverse();
}

Indices all_but(Index t, Index n) {
  Indices rest;
  for (Index i = 0; i < n; ++i)
    if (i != t) rest.push_back(i);
  return rest;
}

Matrix slow_source(const std::vector<Matrix>& kernels, Index m, const Vector& weights, double gamma,
                   bool intercept) {
  const Index N = kernels[0].rows();
  Matrix sum = Matrix::Zero(N, N);
  double total = 0;
  for (std::size_t l = 0; l < kernels.size(); ++l) {
    if (static_cast<Index>(l) == m) continue;
    sum += weights(static_cast<Index>(l)) * kernels[l];
    total += weights(static_cast<Index>(l));
  }
  sum /= total;
  Matrix G = sum;
  if (gamma > 0) {
    double mean = 0;
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j)
        mean += (sum(i, i) + sum(j, j) - 2 * sum(i, j)) / static_cast<double>(N * (N - 1));
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j)
        G(i, j) = std::exp(-gamma * (sum(i, i) + sum(j, j) - 2 * sum(i, j)) / mean);
  }
  if (intercept) G = G + Matrix::Constant(N, N, 10);
  return G;
}

}  // namespace

double slow_leave_one_out_distance(const Matrix& K, const Matrix& G, double ridge) {
  double sum = 0;
  for (Index t = 0; t < K.rows(); ++t) {
    const Indices rest = all_but(t, K.rows());
    const Vector w = inverse(submatrix(G, rest, rest), ridge) * submatrix(G, rest, {t});
    const Vector k = submatrix(K, rest, {t});
    sum += K(t, t) - 2 * w.dot(k) + w.dot(submatrix(K, rest, rest) * w);
  }
  return sum / static_cast<double>(K.rows());
}

Matrix slow_transfer_view(const Problem& problem, const std::vector<Matrix>& kernels, Index m,
                          const Vector& weights, double gamma, double ridge, bool intercept) {
  const Indices &I = problem.view(m).rows, &T = problem.missing(m);
  const Matrix G = slow_source(kernels, m, weights, gamma, intercept);
  const Matrix G_II = submatrix(G, I, I), G_IT = submatrix(G, I, T), G_TT = submatrix(G, T, T);
  const Matrix K = problem.view(m).block / problem.view(m).block.diagonal().mean();
  const Matrix W = inverse(G_II, ridge) * G_IT;

  // s: squared leave-one-out residuals over their predictive variances under G
  double predicted_variance = 0;
  for (Index t = 0; t < K.rows(); ++t) {
    const Indices rest = all_but(t, K.rows());
    const Vector g = submatrix(G_II, rest, {t});
    predicted_variance += G_II(t, t) - g.dot(inverse(submatrix(G_II, rest, rest), ridge) * g);
  }
  const double s = slow_leave_one_out_distance(K, G_II, ridge) /
                   (predicted_variance / static_cast<double>(K.rows()));

  const Matrix K_IT = K * W;
  const Matrix K_TT = W.transpose() * K * W + s * (G_TT - G_IT.transpose() * W);
  Matrix result(G.rows(), G.rows());
  paste(K, I, result);
  paste(K_TT, T, result);
  for (std::size_t i = 0; i < I.size(); ++i)
    for (std::size_t t = 0; t < T.size(); ++t)
      result(I[i], T[t]) = result(T[t], I[i]) = K_IT(static_cast<Index>(i), static_cast<Index>(t));
  return result;
}

}  // namespace mkc::test
