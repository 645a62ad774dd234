#include "methods/shared/log_domain.hpp"

#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc {

namespace {

constexpr double constant_diagonal = 1e-6, negative_share = 1e-3;

void centre(Matrix& A) {
  const Vector mean = A.rowwise().mean();
  const double all = mean.mean();
  A.colwise() -= mean;
  A.rowwise() -= (mean.array() - all).matrix().transpose();
  linalg::mirror_lower(A);
}

}  // namespace

Matrix kernel_gram(const MatrixRef& K) {
  Matrix gram = K;
  centre(gram);
  return gram;
}

std::optional<Matrix> log_gram(const MatrixRef& K) {
  if (!(K.minCoeff() > 0)) return std::nullopt;
  const Eigen::ArrayXd half_log = 0.5 * K.diagonal().array().log();
  Matrix gram = K;
  gram = 0.5 * gram.array().log().matrix();  // -D / 2, up to what centring removes
  gram.colwise() -= (0.5 * half_log).matrix();
  gram.rowwise() -= (0.5 * half_log).matrix().transpose();
  centre(gram);
  return gram;
}

std::optional<Matrix> euclidean_log_gram(const MatrixRef& K) {
  const double c = K.diagonal().mean();
  if ((K.diagonal().array() - c).abs().maxCoeff() > constant_diagonal * c) return {};
  auto B = log_gram(K);
  if (!B) return {};
  const Vector values = linalg::eigenvalues(*B);
  if (-values.cwiseMin(0).sum() > negative_share * values.cwiseAbs().sum()) return {};
  return B;
}

Matrix from_log_gram(const Matrix& B) {
  const Vector d = B.diagonal();
  Matrix K = 2 * B;
  K.rowwise() -= d.transpose();
  K.colwise() -= d;
  return K.array().min(0).exp();
}

}  // namespace mkc
