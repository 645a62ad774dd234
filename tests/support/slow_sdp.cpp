#include "support/slow_sdp.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/linalg/eigh.hpp"

namespace mkc::test {

namespace {

struct Divisors {
  std::vector<double> w, b;
};

Divisors divisors(const Problem& problem, SdpScaling scaling) {
  Divisors d;
  for (const auto& view : problem.views()) {
    double sum = 0;
    for (Index i = 0; i < view.block.rows(); ++i)
      for (Index j = 0; j < view.block.cols(); ++j) sum += std::pow(view.block(i, j), 2);
    const double ratio =
        static_cast<double>(problem.n_samples()) / static_cast<double>(view.rows.size());
    d.w.push_back(scaling == SdpScaling::paper ? 1 : sum);
    d.b.push_back(scaling == SdpScaling::paper ? 1 : sum * ratio * ratio);
  }
  return d;
}

double between_residual(const std::vector<Matrix>& X, const Matrix& S, Index m, Index i, Index j) {
  double r = X[at(m)](i, j);
  for (Index l = 0; l < S.cols(); ++l)
    if (l != m) r -= S(m, l) * X[at(l)](i, j);
  return r;
}

Matrix clip(const Matrix& A) {
  const linalg::Eigh e = linalg::eigh(0.5 * (A + A.transpose()));
  return e.vectors * e.values.cwiseMax(0).asDiagonal() * e.vectors.transpose();
}

}  // namespace

double slow_sdp_objective(const Problem& problem, const std::vector<Matrix>& X, const Matrix& S,
                          double c, SdpScaling scaling) {
  const Divisors d = divisors(problem, scaling);
  double sum = 0;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    for (Index i = 0; i < view.block.rows(); ++i)
      for (Index j = 0; j < view.block.cols(); ++j)
        sum += std::pow(X[at(m)](view.rows[at(i)], view.rows[at(j)]) - view.block(i, j), 2) /
               d.w[at(m)];
    for (Index i = 0; i < problem.n_samples(); ++i)
      for (Index j = 0; j < problem.n_samples(); ++j)
        sum += c * std::pow(between_residual(X, S, m, i, j), 2) / d.b[at(m)];
  }
  return sum;
}

std::vector<Matrix> slow_sdp_gradient(const Problem& problem, const std::vector<Matrix>& X,
                                      const Matrix& S, double c, SdpScaling scaling) {
  const Divisors d = divisors(problem, scaling);
  const Index N = problem.n_samples();
  std::vector<Matrix> G(X.size(), Matrix::Zero(N, N));
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    for (Index i = 0; i < view.block.rows(); ++i)
      for (Index j = 0; j < view.block.cols(); ++j) {
        const Index a = view.rows[at(i)], b = view.rows[at(j)];
        G[at(m)](a, b) += 2 * (X[at(m)](a, b) - view.block(i, j)) / d.w[at(m)];
      }
    for (Index i = 0; i < N; ++i)
      for (Index j = 0; j < N; ++j) {
        const double r = 2 * c * between_residual(X, S, m, i, j) / d.b[at(m)];
        G[at(m)](i, j) += r;
        for (Index l = 0; l < problem.n_views(); ++l)
          if (l != m) G[at(l)](i, j) -= S(m, l) * r;
      }
  }
  return G;
}

void slow_sdp_kernels(const Problem& problem, std::vector<Matrix>& X, const Matrix& S, double c,
                      SdpScaling scaling, int iterations) {
  const Divisors d = divisors(problem, scaling);
  // ||I - S||^2 <= (1 + M)^2 bounds the curvature of the second sum
  const double M = static_cast<double>(problem.n_views());
  const double curvature = 2 / *std::min_element(d.w.begin(), d.w.end()) +
                           2 * c * (1 + M) * (1 + M) / *std::min_element(d.b.begin(), d.b.end());
  std::vector<Matrix> Y = X;
  for (int k = 0; k < iterations; ++k) {
    const std::vector<Matrix> G = slow_sdp_gradient(problem, Y, S, c, scaling);
    for (std::size_t m = 0; m < X.size(); ++m) {
      const Matrix next = clip(Y[m] - G[m] / curvature);
      Y[m] = next + k / (k + 3.0) * (next - X[m]);
      X[m] = next;
    }
  }
}

}  // namespace mkc::test
