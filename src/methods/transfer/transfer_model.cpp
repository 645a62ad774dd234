#include "methods/transfer/transfer_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "methods/shared/conditional.hpp"
#include "methods/shared/log_domain.hpp"
#include "methods/shared/observed_block.hpp"
#include "methods/shared/pair_sums.hpp"
#include "methods/shared/relations.hpp"
#include "methods/shared/source_kernel.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/psd.hpp"
#include "problem/view_patterns.hpp"

namespace mkc {

namespace {

constexpr double start_ridge = 0.1;  // of the first guess, through the entrywise mean
constexpr double weight_power = 3;   // w_l = error_l^-3: sharper or flatter is no better
constexpr double most_growth = 3;    // of a row scaled to its diagonal
constexpr double tiny = std::numeric_limits<double>::min();
constexpr double all_explained = 1e-10;  // of the diagonal: a residual below is rounding

// exp(-gamma D / mean D) of a kernel's squared distances, or the kernel itself; plus the intercept.
Matrix shaped(Matrix P, const TransferOptions& options) {
  return std::move(
      SourceKernel(std::move(P), {*options.gamma, options.intercept == Intercept::yes}).G());
}

}  // namespace

TransferModel::TransferModel(const Problem& problem, const TransferOptions& options, int threads)
    : problem_(problem), options_(options), threads_(threads), scale_(mean_diagonals(problem)) {
  const Index M = problem.n_views();
  for (Index m = 0; m < M; ++m) {
    const SharedMatrix& block = problem.view(m).block;
    target_.push_back(block / scale_(m));
    log_.push_back(false);
    if (options.target == TargetDomain::log && !problem.complete(m))
      if (auto gram = euclidean_log_gram(block)) {
        target_.back() = *std::move(gram);
        log_.back() = true;
      }
  }
  expected_diagonals_ = expected_diagonals(problem) * scale_.cwiseInverse().asDiagonal();
  variance_ = Matrix::Zero(problem.n_samples(), M);
  find_weights();
  start();
}

// w_l = (leave-one-out distance of view m predicted from view l alone, on common samples)^(-3/2).
void TransferModel::find_weights() {
  const Index M = problem_.n_views();
  weights_ = equal_relations(M);
  if (options_.weights != SourceWeights::loo || M < 3) return;
  parallel_for(M, threads_, [&](Index m) {
    if (problem_.complete(m)) return;
    Vector w = Vector::Zero(M);
    for (Index l = 0; l < M; ++l) {
      const auto [here, there] =
          common_samples(problem_.view(m), positions_in(problem_.view(l), problem_.n_samples()));
      if (l == m || here.size() < 3) continue;
      const Matrix G =
          shaped(submatrix(problem_.view(l).block / scale_(l), there, there), options_);
      const Matrix K = submatrix(problem_.view(m).block / scale_(m), here, here);
      const double error = leave_one_out_distance(K, ridge_inverse(G, *options_.ridge));
      w(l) = std::pow(std::max(error, 1e-6), -weight_power / 2);
    }
    if (w.sum() > 0) weights_.row(m) = w / w.sum();
  });
}

// First guess: regression through the PSD part of the entrywise mean of the views.
void TransferModel::start() {
  PairSums pairs(problem_.n_samples());
  for (Index m = 0; m < problem_.n_views(); ++m) pairs.add(problem_.view(m), 1 / scale_(m));
  const Matrix G = linalg::project_psd(pairs.means(pairs.overall_mean()));
  kernels_.resize(at(problem_.n_views()));
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    const Matrix K_II = problem_.view(m).block / scale_(m);
    const Indices &I = problem_.view(m).rows, &T = problem_.missing(m);
    const Matrix W =
        linalg::multiply(ridge_inverse(submatrix(G, I, I), start_ridge), submatrix(G, I, T));
    kernels_[at(m)] = extend_block(K_II, I, T, W, G);
  });
}

Matrix TransferModel::source(Index m, const Vector& weights) const {
  Matrix G = Matrix::Zero(problem_.n_samples(), problem_.n_samples());
  for (Index l = 0; l < problem_.n_views(); ++l)
    if (l != m && weights(l) > 0) G += (weights(l) / weights.sum()) * kernels_[at(l)];
  return shaped(std::move(G), options_);
}

TransferModel::Regression TransferModel::regress(Index m, const Vector& weights) const {
  Regression regression;
  const Indices& I = problem_.view(m).rows;
  regression.G = source(m, weights);
  const Matrix G_II = submatrix(regression.G, I, I);
  regression.Q = ridge_inverse(G_II, *options_.ridge);
  const double predicted_variance =
      (regression.Q.diagonal().cwiseInverse().array() - *options_.ridge).mean();
  const double seen = leave_one_out_distance(target_[at(m)], regression.Q);
  const bool known = predicted_variance > all_explained * G_II.diagonal().mean();
  regression.residual_scale = known ? seen / predicted_variance : 0;
  return regression;
}

// Replaces the columns of W and the residual variances of samples that lack some of the sources by
// those of a regression on the views they have.
void TransferModel::predict_from_observed(Index m, const Regression& all, Matrix& W, Matrix& R,
                                          Vector& residual) const {
  const Indices &I = problem_.view(m).rows, &T = problem_.missing(m);
  const Vector weights = weights_.row(m);
  // columns: positions in T
  for (const auto& [has, columns] : view_patterns(problem_.observed()(T, Eigen::all))) {
    Vector own = weights;
    for (Index l = 0; l < own.size(); ++l)
      if (!has[at(l)]) own(l) = 0;
    if (own.sum() <= 0 || own == weights) continue;
    const Regression some = regress(m, own);
    Indices samples;
    for (const Index c : columns) samples.push_back(T[at(c)]);
    const Matrix G_It = submatrix(some.G, I, samples);
    const Matrix w = linalg::multiply(some.Q, G_It);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Index c = columns[k], j = static_cast<Index>(k);
      W.col(c) = w.col(j);
      const double unexplained = some.G(samples[k], samples[k]) - G_It.col(j).dot(w.col(j));
      residual(c) = std::max(0.0, unexplained) * some.residual_scale;
    }
  }
  // samples use different G: the correlations of the common one, each with its own variance
  Vector factor = Vector::Zero(residual.size()), alone = residual;
  for (Index c = 0; c < factor.size(); ++c)
    if (R(c, c) > all_explained * all.residual_scale * all.G(T[at(c)], T[at(c)])) {
      factor(c) = std::sqrt(residual(c) / R(c, c));
      alone(c) = 0;
    }
  R = factor.asDiagonal() * R * factor.asDiagonal();
  R.diagonal() += alone;  // where the common G leaves nothing open there are no correlations
}

Matrix TransferModel::predicted(Index m, bool from_observed) {
  const Indices &I = problem_.view(m).rows, &T = problem_.missing(m);
  const Regression all = regress(m, weights_.row(m));
  const Matrix G_IT = submatrix(all.G, I, T);
  Matrix W = linalg::multiply(all.Q, G_IT);
  Matrix R = submatrix(all.G, T, T);
  linalg::gemm(-1, G_IT, linalg::Op::transpose, W, linalg::Op::none, 1, R);
  R *= all.residual_scale;
  Vector residual = R.diagonal().cwiseMax(0);

  if (from_observed) predict_from_observed(m, all, W, R, residual);
  const Matrix K_IT = linalg::multiply(target_[at(m)], W);
  if (options_.diagonal == TransferDiagonal::scale && !log_[at(m)]) R.setZero();
  linalg::gemm(1, W, linalg::Op::transpose, K_IT, linalg::Op::none, 1, R);
  return finished(m, K_IT, std::move(R), residual);
}

// Settles the diagonal or leaves the log domain, and notes the uncertainty.
Matrix TransferModel::finished(Index m, Matrix K_IT, Matrix K_TT, const Vector& residual) {
  const Indices &I = problem_.view(m).rows, &T = problem_.missing(m);
  for (std::size_t c = 0; c < T.size(); ++c) {
    const double r = residual(static_cast<Index>(c));
    variance_(T[c], m) = scale_(m) * (log_[at(m)] ? 1 - std::exp(-r) : r);
  }
  if (log_[at(m)]) {
    Matrix K = from_log_gram(join_blocks(target_[at(m)], I, K_IT, T, K_TT));
    paste(problem_.view(m).block / scale_(m), I, K);
    return K;
  }
  if (options_.diagonal != TransferDiagonal::none) {
    const double most = options_.diagonal == TransferDiagonal::scale ? most_growth : 1;
    Vector factor(K_TT.rows());
    for (std::size_t c = 0; c < T.size(); ++c) {
      const auto j = static_cast<Index>(c);
      const double expected = std::max(0.0, expected_diagonals_(T[c], m));
      factor(j) = std::min(most, std::sqrt(expected / std::max(K_TT(j, j), tiny)));
    }
    K_IT = K_IT * factor.asDiagonal();
    K_TT = factor.asDiagonal() * K_TT * factor.asDiagonal();
    for (std::size_t c = 0; c < T.size(); ++c) {
      double& own = K_TT(static_cast<Index>(c), static_cast<Index>(c));
      own = std::max(own, expected_diagonals_(T[c], m));
    }
  }
  return join_blocks(target_[at(m)], I, K_IT, T, K_TT);
}

double TransferModel::round() {
  std::vector<Matrix> next(kernels_.size());
  Vector change = Vector::Zero(problem_.n_views());
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    if (problem_.complete(m)) {
      next[at(m)] = kernels_[at(m)];
      return;
    }
    next[at(m)] = predicted(m, false);
    change(m) = (next[at(m)] - kernels_[at(m)]).norm() / std::max(next[at(m)].norm(), tiny);
  });
  kernels_ = std::move(next);
  return change.maxCoeff();
}

void TransferModel::round_from_observed() {
  std::vector<Matrix> next(kernels_.size());
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    next[at(m)] = problem_.complete(m) ? kernels_[at(m)] : predicted(m, true);
  });
  kernels_ = std::move(next);
}

std::vector<Matrix> TransferModel::kernels() const {
  std::vector<Matrix> kernels;
  for (Index m = 0; m < problem_.n_views(); ++m) {
    kernels.push_back(kernels_[at(m)] * scale_(m));
    paste(problem_.view(m).block, problem_.view(m).rows, kernels.back());
  }
  return kernels;
}

}  // namespace mkc
