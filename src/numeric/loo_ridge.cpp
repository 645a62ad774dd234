#include "numeric/loo_ridge.hpp"

#include <cmath>

#include "numeric/centred.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc {

namespace {

constexpr double ridges[] = {1e-3, 1e-2, 1e-1, 1, 10};
// What centring a constant kernel leaves, as a share of its largest entry: rounding.
constexpr double rounding = 1e-13;

}  // namespace

LooRidge::LooRidge(const MatrixRef& K) {
  linalg::Eigh pairs = linalg::eigh(centred(K));
  values_ = pairs.values.cwiseMax(0);
  vectors_ = std::move(pairs.vectors);
  squared_ = vectors_.cwiseAbs2();
  scale_ = values_.mean();
  if (!(scale_ > rounding * K.cwiseAbs().maxCoeff())) scale_ = 0;
}

// With HKH = Q diag(v) Q' and f = v / (v + lambda), the fit to all samples is A y with
// A = 11'/n + Q diag(f) Q'; the error without sample i is (y - Ay)_i / (1 - a_ii).
Vector LooRidge::errors(const MatrixRef& Y, const MatrixRef& rotated, double ridge) const {
  const Vector f = values_.cwiseQuotient((values_.array() + ridge * scale_).matrix());
  const double one = 1 / static_cast<double>(Y.rows());
  const Vector left = (1 - one - (squared_ * f).array()).matrix();  // 1 - a_ii
  Matrix residuals = Y.rowwise() - Y.colwise().mean();
  linalg::gemm(-1, vectors_, linalg::Op::none, f.asDiagonal() * rotated, linalg::Op::none, 1,
               residuals);
  return residuals.rowwise().squaredNorm().cwiseQuotient(left.cwiseAbs2());
}

Vector LooRidge::errors(const MatrixRef& Y, double ridge) const {
  if (scale_ == 0) return loo_mean_errors(Y);
  return errors(Y, linalg::multiply_tn(vectors_, Y), ridge);
}

Vector LooRidge::errors(const MatrixRef& Y) const {
  if (scale_ == 0) return loo_mean_errors(Y);
  const Matrix rotated = linalg::multiply_tn(vectors_, Y);  // Q'Y
  Vector best;
  for (const double ridge : ridges)
    if (Vector tried = errors(Y, rotated, ridge); best.size() == 0 || tried.sum() < best.sum())
      best = std::move(tried);
  return best;
}

Vector loo_mean_errors(const MatrixRef& Y) {
  const double n = static_cast<double>(Y.rows());
  const Matrix from_mean = Y.rowwise() - Y.colwise().mean();
  return from_mean.rowwise().squaredNorm() * std::pow(n / (n - 1), 2);
}

Matrix leading_coordinates(const MatrixRef& K, Index k) {
  const linalg::Eigh pairs = linalg::eigh_largest(centred(K), k);
  return pairs.vectors * pairs.values.cwiseMax(0).cwiseSqrt().asDiagonal();
}

}  // namespace mkc
