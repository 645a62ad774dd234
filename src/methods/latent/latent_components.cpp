#include "methods/latent/latent_components.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc::latent {

namespace {

constexpr double least_noise = 1e-10;      // relative to the mean variance of the target
constexpr double smallest_source = 1e-12;  // mean diagonal of a source with variance
constexpr double tiny = std::numeric_limits<double>::min();

}  // namespace

Grams::Grams(const std::vector<Matrix>& grams)
    : Grams(grams.empty() ? 0 : grams[0].rows(), static_cast<Index>(grams.size())) {
  for (Index l = 0; l < count(); ++l) (*this)[l] = grams[at(l)];
}

Matrix Grams::sum(const Vector& weights) const {
  Matrix sum(size_, size_);
  sum.reshaped() = linalg::multiply(columns_, linalg::Op::none, weights);
  return sum;
}

Vector Grams::traces(const Matrix& A) const {
  return linalg::multiply(columns_, linalg::Op::transpose, A.reshaped());
}

Components equal_components(const Grams& sources, const Matrix& target) {
  const double variance = target.trace(), n = double(target.rows());
  Components components{Vector(sources.count()), variance / 2 / n};
  for (Index l = 0; l < sources.count(); ++l) {
    const double trace = sources[l].trace();
    components.weights(l) =
        trace > smallest_source * n ? variance / 2 / double(sources.count()) / trace : 0;
  }
  return components;
}

linalg::Cholesky stable_factor(Matrix C, double* added) {
  if (!C.allFinite()) throw std::logic_error("latent: a covariance is not finite");
  *added = 0;
  for (double more = std::max(C.diagonal().mean() * least_noise, tiny);; more *= 100) {
    if (auto factor = linalg::Cholesky::factor(C)) return *std::move(factor);
    C.diagonal().array() += more;
    *added += more;
  }
}

Matrix inverse_covariance(const Components& components, const Grams& sources) {
  Matrix C = sources.sum(components.weights);
  C.diagonal().array() += components.noise;
  // The constant vector gets the mean variance, well away from 0, and is taken out of the inverse.
  const double n = double(C.rows()), constant = C.trace() / n;
  C.array() += constant / n;
  double added;
  Matrix Q = stable_factor(std::move(C), &added).inverse();
  Q.array() -= 1 / (n * (components.noise + added + constant));
  return Q;
}

void improve(Components& components, const Grams& sources, const Matrix& target, int iterations) {
  const double least = std::max(least_noise * target.trace() / double(target.rows()), tiny);
  for (int k = 0; k < iterations; ++k) {
    const Matrix Q = inverse_covariance(components, sources);
    const Matrix QTQ = linalg::multiply(Q, linalg::multiply(target, Q));
    const Vector above = sources.traces(QTQ), below = sources.traces(Q);
    for (Index l = 0; l < above.size(); ++l)
      components.weights(l) *= above(l) > 0 && below(l) > 0 ? std::sqrt(above(l) / below(l)) : 0;
    components.noise *= std::sqrt(std::max(QTQ.trace(), 0.0) / std::max(Q.trace(), tiny));
    components.noise = std::max(components.noise, least);
  }
}

}  // namespace mkc::latent
