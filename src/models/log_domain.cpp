#include "models/log_domain.hpp"

#include "mkc/linalg/eigh.hpp"

namespace mkc {

namespace {
constexpr double constant_diagonal = 1e-6, negative_share = 1e-3;
}

std::optional<Matrix> log_gram(const Matrix& K) {
  const double c = K.diagonal().mean();
  if (K.minCoeff() <= 0) return {};
  if ((K.diagonal().array() - c).abs().maxCoeff() > constant_diagonal * c) return {};
  Matrix B = 0.5 * (K.array() / c).log();
  const Vector mean = B.colwise().mean();
  B.rowwise() -= mean.transpose();
  B.colwise() -= mean;
  B.array() += mean.mean();
  B = (0.5 * (B + B.transpose())).eval();
  const Vector values = linalg::eigenvalues(B);
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
