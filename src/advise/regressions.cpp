#include "advise/regressions.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc::advice {

namespace {

constexpr double least_precision = 0.1, most_precision = 10;  // of the mean: estimates are rough
constexpr double most_open = 0.999;                           // lambda stays finite
constexpr double intercept_ridge = 1e-6;
constexpr Index rows_at_once = 4096;  // fixed: sums do not depend on the number of threads

// Calls task(first, count) for one block of rows after the other.
template <class Task>
void for_blocks(Index rows, const Task& task) {
  for (Index first = 0; first < rows; first += rows_at_once)
    task(first, std::min(rows_at_once, rows - first));
}

// sum_t w_t z_t z_t' over the rows with w_t != 0.
Matrix weighted_gram(const Matrix& Z, const Vector& w) {
  Matrix sum = Matrix::Zero(Z.cols(), Z.cols());
  for_blocks(Z.rows(), [&](Index first, Index count) {
    const Matrix scaled =
        w.segment(first, count).cwiseSqrt().asDiagonal() * Z.middleRows(first, count);
    sum += linalg::gram_of_columns(scaled);
  });
  return sum;
}

// z_t' Q z_t of every row.
Vector quadratic_forms(const Matrix& Z, const Matrix& Q) {
  Vector values(Z.rows());
  for_blocks(Z.rows(), [&](Index first, Index count) {
    const Matrix ZQ = linalg::multiply(Z.middleRows(first, count), Q);
    values.segment(first, count) = ZQ.cwiseProduct(Z.middleRows(first, count)).rowwise().sum();
  });
  return values;
}

}  // namespace

Regressions::Regressions(const JointModel& model, const Patterns& patterns,
                         const Indices& pattern_of, int threads)
    : model_(model), mean_open_(Vector::Ones(model.n_views())) {
  const Index N = model.n_samples(), M = model.n_views(), R = model.X.cols();
  Z_.resize(N, R + 1);
  Z_.col(0).setOnes();
  Z_.rightCols(R) = model.X;
  precisions_ = leverage_ = quadratic_ = shares_ = Matrix::Zero(N, M);
  A_.resize(at(M));
  P_.resize(at(M));
  for (Index m = 0; m < M; ++m) {
    double sum = 0;
    Index count = 0;
    for (Index i = 0; i < N; ++i)
      if (model.has(i, m)) {
        sum += patterns[pattern_of[at(i)]].open(m);
        ++count;
      }
    if (count > 0) mean_open_(m) = sum / static_cast<double>(count);
  }
  mean_powered_ = mean_open_.array().pow(patterns.power());
  for (Index m = 0; m < M; ++m)
    for (Index i = 0; i < N; ++i)
      if (model.has(i, m)) precisions_(i, m) = precision(m, pattern_of[at(i)], patterns);
  parallel_for(M, threads, [&](Index m) {
    const double open = std::min(mean_open_(m), most_open);
    const double lambda = static_cast<double>(std::max<Index>(1, M - 1)) * open / (1 - open);
    A_[at(m)] = weighted_gram(Z_, precisions_.col(m));
    A_[at(m)].diagonal().array() += lambda;
    A_[at(m)](0, 0) += intercept_ridge - lambda;
  });
  refresh(threads);
}

double Regressions::precision(Index m, Index pattern, const Patterns& patterns) const {
  const double ratio = mean_powered_(m) / patterns[pattern].powered(m);
  return std::clamp(ratio * ratio, least_precision, most_precision);
}

void Regressions::add(Index m, Index i, double d) {
  precisions_(i, m) += d;
  A_[at(m)].noalias() += d * Z_.row(i).transpose() * Z_.row(i);
}

void Regressions::refresh(int threads) {
  parallel_for(model_.n_views(), threads, [&](Index m) { refresh_view(m); });
}

void Regressions::weigh(const Matrix& weights, int threads) {
  shares_ = weights.array() / (1 + leverage_.array());
  parallel_for(model_.n_views(), threads, [&](Index m) { weigh_view(m); });
}

// P: the inverse over the intercept and the other views' features, 0 elsewhere, so that all views
// share the rows of Z.
void Regressions::refresh_view(Index m) {
  Indices others = {0};
  for (Index c = 0; c < model_.X.cols(); ++c)
    if (c < model_.first[at(m)] || c >= model_.first[at(m) + 1]) others.push_back(c + 1);
  Matrix inverse = submatrix(A_[at(m)], others, others);
  Matrix& P = P_[at(m)];
  P = Matrix::Zero(Z_.cols(), Z_.cols());
  if (linalg::invert_positive_definite(inverse)) P(others, others) = inverse;
  leverage_.col(m) = quadratic_forms(Z_, P).cwiseMax(0);
}

void Regressions::weigh_view(Index m) {
  if ((shares_.col(m).array() == 0).all()) {
    quadratic_.col(m).setZero();
    return;
  }
  const Matrix W = weighted_gram(Z_, shares_.col(m)), &P = P_[at(m)];
  quadratic_.col(m) = quadratic_forms(Z_, linalg::multiply(P, linalg::multiply(W, P))).cwiseMax(0);
}

double Regressions::reduction(Index m, Index i, double d) const {
  const double h = leverage_(i, m), left_out = shares_(i, m) * h * h;
  const double growth = std::max(1 + d * h, 0.05);  // a lost sample that alone held a direction
  return d / growth * std::max(0.0, quadratic_(i, m) - left_out);
}

// y_i - z_i' P sum p z y', over 1 - p_i h_i: the residual of sample i had it been left out.
Vector Regressions::surprise(Index m) const {
  const auto Y = model_.X.middleCols(model_.first[at(m)], model_.width(m));
  const Vector& p = precisions_.col(m);
  const Matrix weighted = p.asDiagonal() * Y;
  const Matrix B = linalg::multiply(P_[at(m)], linalg::multiply_tn(Z_, weighted));
  const Matrix residual = Y - linalg::multiply(Z_, B);
  Vector size = Vector::Zero(p.size());
  double sum = 0, count = 0;
  for (Index i = 0; i < p.size(); ++i)
    if (model_.has(i, m)) {
      const double left = std::max(0.05, 1 - p(i) * leverage_(i, m));
      size(i) = residual.row(i).norm() / left;
      sum += size(i) * size(i);
      count += 1;
    }
  const double typical = count > 0 ? std::sqrt(sum / count) : 0;
  for (Index i = 0; i < p.size(); ++i)
    size(i) = model_.has(i, m) && typical > 0 ? size(i) / typical : 1;
  return size;
}

}  // namespace mkc::advice
