#include "methods/mkmc_model.hpp"

#include <algorithm>

#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc {

namespace {

constexpr double least_variance = 1e-8;  // of what is unexplained, over the mean diagonal

Matrix low_rank_and_diagonal(const Matrix& W, const Vector& psi) {
  Matrix C = linalg::multiply(W, W.transpose());
  C.diagonal() += psi;
  return C;
}

}  // namespace

Matrix CommonModel::fit(const Matrix& S) {
  if (kind_ == CommonKind::full) return S;
  return kind_ == CommonKind::pca || psi_.size() == 0 ? fit_pca(S) : fit_fa(S);
}

Matrix CommonModel::fit_pca(const Matrix& S) {
  const Index n = S.rows();
  const linalg::Eigh pairs = linalg::eigh(S);  // ascending
  const double mean = S.diagonal().mean();
  if (rank_ == 0) rank_ = std::max<Index>(1, (pairs.values.array() > mean).count());
  rank_ = std::clamp<Index>(rank_, 1, n - 1);
  const double s = std::max(pairs.values.head(n - rank_).mean(), least_variance * mean);
  W_ = pairs.vectors.rightCols(rank_) *
       (pairs.values.tail(rank_).array() - s).max(0).sqrt().matrix().asDiagonal();
  psi_ = Vector::Constant(n, s);
  return low_rank_and_diagonal(W_, psi_);
}

Matrix CommonModel::fit_fa(const Matrix& S) {
  // B = W'C^-1 = (I + W'D^-1 W)^-1 W'D^-1 with D = diag(psi)
  const Matrix scaled = psi_.cwiseInverse().asDiagonal() * W_;
  Matrix inner = linalg::multiply_tn(W_, scaled);
  inner.diagonal().array() += 1;
  const Matrix B = linalg::Cholesky::factor(std::move(inner))->solve(scaled.transpose());
  const Matrix SB = linalg::multiply(S, B.transpose());  // (N, q)
  Matrix E = linalg::multiply(B, SB) - linalg::multiply(B, W_);
  E.diagonal().array() += 1;
  const Matrix symmetric = (E + E.transpose()) / 2;
  W_ = linalg::Cholesky::factor(symmetric)->solve(SB.transpose()).transpose();
  psi_ = S.diagonal() - W_.cwiseProduct(SB).rowwise().sum();
  psi_ = psi_.cwiseMax(least_variance * S.diagonal().mean());
  return low_rank_and_diagonal(W_, psi_);
}

}  // namespace mkc
