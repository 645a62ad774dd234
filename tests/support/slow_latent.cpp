#include "support/slow_latent.hpp"

#include <cmath>

#include "numeric/blocks.hpp"
#include "numeric/linalg/eigh.hpp"
#include "support/symmetric_solve.hpp"

namespace mkc::test {

Matrix slow_gaussian_em(const Problem& problem, const std::vector<latent::ViewFeatures>& features,
                        double ridge, Index maximisations) {
  const Index N = problem.n_samples();
  Index R = 0;
  for (const auto& view : features) R += view.sources.cols();
  Matrix X = Matrix::Zero(N, R), sigma = Matrix::Zero(R, R);
  Mask known = Mask::Constant(N, R, false);
  Vector ridges(R);
  Index column = 0;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const Matrix& F = features[at(m)].sources;
    const Indices& rows = problem.view(m).rows;
    for (Index c = 0; c < F.cols(); ++c, ++column) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        X(rows[i], column) = F(static_cast<Index>(i), c);
        known(rows[i], column) = true;
        sigma(column, column) += std::pow(F(static_cast<Index>(i), c), 2) / double(rows.size());
      }
      ridges(column) = ridge / double(F.cols());
    }
  }
  sigma.diagonal() += ridges;
  Vector mu = Vector::Zero(R);
  for (Index step = 0;; ++step) {
    Matrix second = Matrix::Zero(R, R);
    for (Index i = 0; i < N; ++i) {
      Indices o, h;
      for (Index c = 0; c < R; ++c) (known(i, c) ? o : h).push_back(c);
      if (h.empty()) continue;
      const Matrix oo = submatrix(sigma, o, o), oh = submatrix(sigma, o, h);
      const Matrix B = symmetric_solve(oo, oh);
      Vector centred(static_cast<Index>(o.size()));
      for (std::size_t c = 0; c < o.size(); ++c)
        centred(static_cast<Index>(c)) = X(i, o[c]) - mu(o[c]);
      const Vector mean = B.transpose() * centred;
      const Matrix covariance = submatrix(sigma, h, h) - B.transpose() * oh;
      for (std::size_t a = 0; a < h.size(); ++a) {
        X(i, h[a]) = mu(h[a]) + mean(static_cast<Index>(a));
        for (std::size_t b = 0; b < h.size(); ++b)
          second(h[a], h[b]) += covariance(static_cast<Index>(a), static_cast<Index>(b));
      }
    }
    if (step == maximisations) return X;
    mu = X.colwise().mean();
    for (Index i = 0; i < N; ++i) {
      const Vector x = X.row(i).transpose() - mu;
      second += x * x.transpose();
    }
    sigma = second / double(N);
    sigma.diagonal() += ridges;
  }
}

double slow_log_likelihood(const Matrix& C, const Matrix& T, double noise) {
  return 0.5 * std::log(noise) -
         0.5 * (linalg::eigenvalues(C).array().log().sum() + symmetric_solve(C, T).trace());
}

double slow_left_out_error(const Matrix& G, const Matrix& T, double noise, Index i) {
  Indices rest;
  for (Index j = 0; j < G.rows(); ++j)
    if (j != i) rest.push_back(j);
  const Index n = static_cast<Index>(rest.size());
  // [G + noise, 1; 1', 0] [w; b] = [g_i; 1]: the weights of ridge regression with an intercept
  Matrix A = Matrix::Zero(n + 1, n + 1), right(n + 1, 1);
  A.topLeftCorner(n, n) = submatrix(G, rest, rest) + noise * Matrix::Identity(n, n);
  A.col(n).head(n).setOnes();
  A.row(n).head(n).setOnes();
  right.topRows(n) = submatrix(G, rest, {i});
  right(n, 0) = 1;
  const Vector w = symmetric_solve(A, right).topRows(n);
  return T(i, i) - 2 * w.dot(submatrix(T, rest, {i}).col(0)) + w.dot(submatrix(T, rest, rest) * w);
}

double slow_expected_gaussian(double y, double mean, double variance) {
  const double sd = std::sqrt(variance), step = 1e-3;
  double sum = 0;
  for (double z = -10; z <= 10; z += step)
    sum += std::exp(-0.5 * z * z - std::pow(mean + sd * z - y, 2));
  return sum * step / std::sqrt(2 * M_PI);
}

}  // namespace mkc::test
