#include "models/latent_components.hpp"

#include <cmath>
#include <limits>

#include "mkc/linalg/blas.hpp"
#include "mkc/linalg/cholesky.hpp"

namespace mkc::latent {

namespace {

constexpr double least_noise = 1e-10;  // relative to the mean variance of the target
constexpr double tiny = std::numeric_limits<double>::min();

double dot(const Matrix& A, const Matrix& B) {
  return A.cwiseProduct(B).sum();
}

}  // namespace

Components equal_components(const std::vector<Matrix>& sources, const Matrix& target) {
  const double variance = target.trace();
  Components components{Vector(static_cast<Index>(sources.size())),
                        variance / 2 / static_cast<double>(target.rows())};
  for (std::size_t l = 0; l < sources.size(); ++l)
    components.weights(static_cast<Index>(l)) =
        variance / 2 / static_cast<double>(sources.size()) / std::max(sources[l].trace(), tiny);
  return components;
}

Matrix inverse_covariance(const Components& components, const std::vector<Matrix>& sources) {
  Matrix C = components.weights(0) * sources[0];
  for (std::size_t l = 1; l < sources.size(); ++l)
    C += components.weights(static_cast<Index>(l)) * sources[l];
  C.diagonal().array() += components.noise;
  // The constant vector gets the mean variance, well away from 0, and is taken out of the inverse.
  const double n = double(C.rows()), constant = C.trace() / n;
  C.array() += constant / n;
  double noise = components.noise;
  for (double more = constant * least_noise;; more *= 100) {
    if (auto factor = linalg::Cholesky::factor(C)) {
      Matrix Q = factor->inverse();
      Q.array() -= 1 / (n * (noise + constant));
      return Q;
    }
    C.diagonal().array() += more;
    noise += more;
  }
}

void improve(Components& components, const std::vector<Matrix>& sources, const Matrix& target,
             int iterations) {
  const double least = std::max(least_noise * target.trace() / double(target.rows()), tiny);
  for (int k = 0; k < iterations; ++k) {
    const Matrix Q = inverse_covariance(components, sources);
    const Matrix QTQ = linalg::multiply(Q, linalg::multiply(target, Q));
    for (std::size_t l = 0; l < sources.size(); ++l)
      components.weights(static_cast<Index>(l)) *=
          std::sqrt(std::max(dot(sources[l], QTQ), 0.0) / std::max(dot(sources[l], Q), tiny));
    components.noise *= std::sqrt(std::max(QTQ.trace(), 0.0) / std::max(Q.trace(), tiny));
    components.noise = std::max(components.noise, least);
  }
}

}  // namespace mkc::latent
