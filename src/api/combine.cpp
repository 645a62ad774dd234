#include "mkc/combine.hpp"

#include <cmath>

#include <fmt/format.h>

#include "mkc/base/error.hpp"
#include "numeric/blocks.hpp"
#include "numeric/centred.hpp"
#include "numeric/solvers/nonnegative_qp.hpp"

namespace mkc {

namespace {

// 1 where two samples are of one class.
Matrix same_class(const Indices& of_sample) {
  const auto n = static_cast<Index>(of_sample.size());
  Matrix same(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) same(i, j) = of_sample[at(i)] == of_sample[at(j)];
  return same;
}

Vector of_sum_one(const Vector& weights) {
  if (weights.sum() <= 0)
    throw InputError("no view is aligned with the labels: all weights would be 0",
                     {"check that the labels belong to these samples",
                      {"weights", "mean", "weighs all views equally"}});
  return weights / weights.sum();
}

}  // namespace

double kernel_variance(const MatrixRef& K) { return K.diagonal().mean() - K.mean(); }

double centred_alignment(const MatrixRef& A, const MatrixRef& B) {
  const Matrix a = centred(A), b = centred(B);
  const double norms = a.norm() * b.norm();
  return norms > 0 ? a.cwiseProduct(b).sum() / norms : 0;
}

Vector equal_weights(Index n_views) {
  return Vector::Constant(n_views, 1.0 / static_cast<double>(n_views));
}

Vector relation_weights(const MatrixRef& S) {
  const Vector used = S.cwiseMax(0).colwise().sum();
  return used.sum() > 0 ? Vector(used / used.sum()) : equal_weights(S.cols());
}

Matrix target_kernel(const Target& target) {
  if (const auto* classes = std::get_if<Labels>(&target)) return same_class(classes->of_sample);
  if (const auto* numbers = std::get_if<Numbers>(&target)) {
    const Vector y = numbers->of_sample.array() - numbers->of_sample.mean();
    return y * y.transpose();
  }
  const auto& survival = std::get<Survival>(target);
  const Vector r = martingale_residuals(survival, Vector::Zero(survival.time.size()));
  return r * r.transpose();
}

Vector alignment_weights(const std::vector<Matrix>& kernels, const Target& target) {
  const Indices rows = labelled(target);
  const Matrix wanted = target_kernel(restricted(target, rows));
  Vector weights(static_cast<Index>(kernels.size()));
  for (std::size_t m = 0; m < kernels.size(); ++m)
    weights(static_cast<Index>(m)) =
        std::max(0.0, centred_alignment(submatrix(kernels[m], rows, rows), wanted));
  return of_sum_one(weights);
}

Vector alignf_weights(const std::vector<Matrix>& kernels, const Target& target, bool scale) {
  const Indices rows = labelled(target);
  const Matrix wanted = centred(target_kernel(restricted(target, rows)));
  const auto n_views = static_cast<Index>(kernels.size());
  // each of norm one, so that the solution does not depend on the units of the views
  std::vector<Matrix> units;
  Vector norms(n_views);
  for (const auto& K : kernels) {
    units.push_back(centred(submatrix(K, rows, rows)));
    double& norm = norms(static_cast<Index>(units.size()) - 1) = units.back().norm();
    if (norm > 0) units.back() /= norm;
  }
  // the ridge makes equal views share their weight
  constexpr double ridge = 1e-6;
  Matrix products = ridge * Matrix::Identity(n_views, n_views);
  Vector with_target(n_views);
  for (Index k = 0; k < n_views; ++k) {
    with_target(k) = units[at(k)].cwiseProduct(wanted).sum();
    for (Index l = 0; l <= k; ++l) {
      products(k, l) += units[at(k)].cwiseProduct(units[at(l)]).sum();
      products(l, k) = products(k, l);
    }
  }
  Vector weights = solvers::nonnegative_qp(products, with_target);
  for (Index k = 0; k < n_views; ++k)
    if (weights(k) > 0) weights(k) *= (scale ? kernel_variance(kernels[at(k)]) : 1) / norms(k);
  return of_sum_one(weights);
}

Vector kernel_factors(const std::vector<Matrix>& kernels, const Vector& weights,
                      const Strings& views, bool scale) {
  Vector factors = weights;
  if (!scale) return factors;
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    double& factor = factors(static_cast<Index>(m));
    if (factor == 0) continue;
    const double variance = kernel_variance(kernels[m]);
    if (!(variance > 1e-12 * kernels[m].diagonal().cwiseAbs().maxCoeff()))
      throw InputError(
          fmt::format("view '{}': all rows of its kernel are equal, so it has no variance to "
                      "scale by",
                      views[m]),
          "leave the view out");
    factor /= variance;
  }
  return factors;
}

Matrix weighted_sum(const std::vector<Matrix>& kernels, const Vector& factors) {
  Matrix sum = Matrix::Zero(kernels.front().rows(), kernels.front().cols());
  for (std::size_t m = 0; m < kernels.size(); ++m)
    if (const double factor = factors(static_cast<Index>(m)); factor != 0)
      sum += factor * kernels[m];
  return sum;
}

Matrix combine_kernels(const std::vector<Matrix>& kernels, const Vector& weights,
                       const Strings& views, bool scale) {
  return weighted_sum(kernels, kernel_factors(kernels, weights, views, scale));
}

}  // namespace mkc
