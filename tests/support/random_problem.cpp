#include "support/random_problem.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/random.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::test {

namespace {

Matrix random_kernel(const Matrix& states, Index kind, Random& random) {
  const Matrix loadings =
      Matrix::NullaryExpr(states.cols(), 6, [&](Index, Index) { return random.normal(); });
  Matrix X = (states * loadings).array().tanh();
  X += 0.1 * Matrix::NullaryExpr(X.rows(), X.cols(), [&](Index, Index) { return random.normal(); });
  const Matrix G = linalg::gram_of_rows(X);
  if (kind % 3 == 0) return G;  // linear, rank 6
  Matrix K(G.rows(), G.cols());
  for (Index j = 0; j < K.cols(); ++j)
    for (Index i = 0; i < K.rows(); ++i)
      K(i, j) = kind % 3 == 1 ? std::exp(-0.2 * (G(i, i) + G(j, j) - 2 * G(i, j)))
                              : std::pow(0.5 * G(i, j) + 1, 2);
  linalg::mirror_lower(K);
  return K;
}

}  // namespace

RandomProblem random_problem(std::uint64_t seed, const RandomProblemOptions& options) {
  const Index N = options.n_samples, M = options.n_views;
  RandomProblem problem;
  for (Index i = 0; i < N; ++i) problem.samples.push_back(fmt::format("s{}", i));
  for (Index m = 0; m < M; ++m) problem.views.push_back(fmt::format("v{}", m));
  Random random(seed, "problem");
  const Matrix states = Matrix::NullaryExpr(N, 3, [&](Index, Index) { return random.normal(); });
  for (Index m = 0; m < M; ++m)
    problem.truth.push_back(random_kernel(states, m + static_cast<Index>(seed % 3), random));

  problem.observed = Mask::Constant(N, M, true);
  for (Index i = 0; i < N; ++i)
    for (Index m = options.first_view_complete ? 1 : 0; m < M; ++m)
      problem.observed(i, m) = random.uniform() >= options.missing;
  for (Index i = 0; i < N; ++i)
    if (!problem.observed.row(i).any()) problem.observed(i, i % M) = true;
  for (Index m = 0; m < M; ++m)  // three samples at least
    for (Index i = 0; i < N && problem.observed.col(m).count() < 3; ++i)
      problem.observed(i, m) = true;
  return problem;
}

Problem RandomProblem::problem() const {
  std::vector<ObservedKernel> kernels;
  for (std::size_t m = 0; m < truth.size(); ++m) {
    Matrix K = truth[m];
    for (Index i = 0; i < K.rows(); ++i)
      if (!observed(i, static_cast<Index>(m))) {
        K.row(i).setConstant(std::numeric_limits<double>::quiet_NaN());
        K.col(i).setConstant(std::numeric_limits<double>::quiet_NaN());
      }
    kernels.push_back(gather_observed(views[m], K));
  }
  return Problem(samples, std::move(kernels));
}

RandomProblem permuted(const RandomProblem& problem, const Indices& samples, const Indices& views) {
  RandomProblem result;
  for (const Index i : samples) result.samples.push_back(problem.samples[at(i)]);
  result.observed.resize(problem.observed.rows(), problem.observed.cols());
  for (std::size_t m = 0; m < views.size(); ++m) {
    const auto old = static_cast<std::size_t>(views[m]);
    result.views.push_back(problem.views[old]);
    result.truth.push_back(submatrix(problem.truth[old], samples, samples));
    for (std::size_t i = 0; i < samples.size(); ++i)
      result.observed(static_cast<Index>(i), static_cast<Index>(m)) =
          problem.observed(samples[i], views[m]);
  }
  return result;
}

}  // namespace mkc::test
