#include "methods/shared/log_domain.hpp"

#include "numeric/linalg/eigh.hpp"
#include "methods/latent/latent_features.hpp"

namespace mkc {

namespace {
constexpr double constant_diagonal = 1e-6, negative_share = 1e-3;
}

std::optional<Matrix> log_gram(const MatrixRef& K) {
  const double c = K.diagonal().mean();
  if ((K.diagonal().array() - c).abs().maxCoeff() > constant_diagonal * c) return {};
  auto B = latent::log_gram(K);
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
