#include "methods/affine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "methods/make_method.hpp"
#include "methods/shared/pair_sums.hpp"
#include "methods/shared/reconstruction.hpp"
#include "methods/shared/relations.hpp"
#include "numeric/blocks.hpp"

namespace mkc {

namespace {

constexpr double tiny = std::numeric_limits<double>::min();
constexpr double ridge = 1e-6;         // of least squares, relative: equal views share their weight
constexpr double least_weight = 1e-6;  // so that a view without weight still fills its own pairs

PairSums weighted_sums(const Problem& problem, Index m, const Vector& scale,
                       const Vector& weights) {
  PairSums pairs(problem.n_samples());
  for (Index l = 0; l < problem.n_views(); ++l)
    if (l != m) pairs.add(problem.view(l), 1 / scale(l), weights(l));
  return pairs;
}

// The entries i < j of a kernel on the view's samples, as one vector less its mean.
Vector centred_pairs(const Matrix& K) {
  Vector pairs(K.rows() * (K.rows() - 1) / 2);
  Index k = 0;
  for (Index j = 0; j < K.cols(); ++j)
    for (Index i = 0; i < j; ++i) pairs(k++) = K(i, j);
  if (k > 0) pairs.array() -= pairs.mean();
  return pairs;
}

// min 1/2 z'Hz - c'z over z >= 0, one coordinate after the other; H positive definite.
Vector nonnegative_minimiser(const Matrix& H, const Vector& c) {
  Vector z = Vector::Zero(c.size());
  for (int sweep = 0; sweep < 10000; ++sweep) {
    double change = 0;
    for (Index l = 0; l < z.size(); ++l) {
      const double next = std::max(0.0, z(l) + (c(l) - H.row(l).dot(z)) / H(l, l));
      change = std::max(change, std::abs(next - z(l)));
      z(l) = next;
    }
    if (change <= 1e-13 * z.maxCoeff()) break;
  }
  return z;
}

// Weights of the other views; pairs that a view lacks are filled with the others' mean.
Vector fitted_weights(const Problem& problem, Index m, const Vector& scale) {
  const Index M = problem.n_views();
  const Indices& I = problem.view(m).rows;
  const PairSums pairs = weighted_sums(problem, m, scale, Vector::Ones(M));
  const Matrix mean = pairs.means(pairs.overall_mean());
  Matrix X(static_cast<Index>(I.size() * (I.size() - 1) / 2), M);
  for (Index l = 0; l < M; ++l) {
    Matrix filled = mean;
    if (l != m) paste(problem.view(l).block / scale(l), problem.view(l).rows, filled);
    X.col(l) = centred_pairs(submatrix(filled, I, I));
  }
  X.col(m).setZero();
  Matrix H(M, M);
  for (Index k = 0; k < M; ++k)
    for (Index l = 0; l <= k; ++l) H(k, l) = H(l, k) = X.col(k).dot(X.col(l));
  const Vector c = X.transpose() * centred_pairs(problem.view(m).block / scale(m));
  H.diagonal().array() += std::max(ridge * H.diagonal().maxCoeff(), tiny);
  Vector z = nonnegative_minimiser(H, c);
  if (!(z.sum() > 0)) return Vector::Ones(M);
  return z.array() / z.sum() + least_weight;
}

/// y = a x + b by least squares with a >= 0, over pairs given one by one.
struct Line {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;

  void add(double at, double value) {
    n += 1, x += at, y += value, xx += at * at, xy += at * value;
  }
  double slope() const {
    const double variance = n * xx - x * x;
    return variance > 1e-12 * n * xx ? std::max(0.0, (n * xy - x * y) / variance) : 0;
  }
  double intercept() const { return n > 0 ? (y - slope() * x) / n : 0; }
};

Matrix mapped(const Problem& problem, Index m, const Vector& scale, const Vector& diagonal,
              AffineWeights weighting) {
  const ObservedKernel& view = problem.view(m);
  const PairSums pairs =
      weighted_sums(problem, m, scale,
                    weighting == AffineWeights::nnls ? fitted_weights(problem, m, scale)
                                                     : Vector::Ones(problem.n_views()));
  const Matrix p = pairs.means(0);
  Line line, all;
  for (std::size_t j = 0; j < view.rows.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) {
      const double value = view.block(static_cast<Index>(i), static_cast<Index>(j));
      all.add(0, value);
      if (pairs.weight(view.rows[i], view.rows[j]) > 0)
        line.add(p(view.rows[i], view.rows[j]), value);
    }
  const double a = line.slope(), b = line.n > 0 ? line.intercept() : all.intercept();
  Matrix K = (pairs.weight.array() > 0).select((a * p).array() + b, all.intercept());
  K.diagonal() = diagonal;
  return K;
}

Completion fit_affine(const Problem& problem, const AffineOptions& options, const RunOptions& run) {
  Completion completion;
  completion.kernels.resize(static_cast<std::size_t>(problem.n_views()));
  const Vector scale = mean_diagonals(problem);
  const Matrix diagonals = expected_diagonals(problem);
  parallel_for(problem.n_views(), run.threads, [&](Index m) {
    completion.kernels[at(m)] = mapped(problem, m, scale, diagonals.col(m), options.weights);
  });
  return completion;
}

double working_bytes(Index n_samples, Index n_views, int threads) {
  return repair_bytes(n_samples, n_views, threads);
}

}  // namespace

OptionTable<AffineOptions> affine_options() {
  OptionTable<AffineOptions> table("affine");
  table.choice("weights", &AffineOptions::weights, {"equal", "nnls"},
               "nnls: weights of the views by least squares on observed pairs");
  return table;
}

Method affine_method() {
  return make_method("affine map of the mean of the other views, fitted on observed pairs",
                     "M^2 N^2 (nnls: M^3 N^2)", "5.3 N^2 doubles per thread", affine_options(),
                     fit_affine, working_bytes);
}

}  // namespace mkc
