#include "mkc/kernels/kernel_options.hpp"

#include <fmt/format.h>

#include "kernels/checks.hpp"
#include "kernels/functions.hpp"
#include "mkc/base/error.hpp"
#include "mkc/kernels/features.hpp"

namespace mkc {

namespace {

// The number behind a gamma rule. `distances` is called only by the rule that needs them.
template <class Distances>
double resolve_gamma(const Gamma& gamma, const Matrix& X, Distances distances) {
  switch (gamma.rule) {
    case Gamma::Rule::median:
      return median_gamma(distances());
    case Gamma::Rule::scale:
      return scale_gamma(X);
    case Gamma::Rule::number:
      break;
  }
  return gamma.value;
}

// exp(-gamma d) with the distances computed once, for gamma and for the kernel.
ComputedKernel exponential_kernel(const Matrix& X, Matrix D, const Gamma& rule) {
  const double gamma = resolve_gamma(rule, X, [&]() -> const Matrix& { return D; });
  return {exponential_of_distances(std::move(D), gamma), gamma};
}

ComputedKernel polynomial_kernel_of(const Matrix& X, const KernelOptions& options) {
  const double gamma = resolve_gamma(options.gamma, X, [&] { return squared_distances(X); });
  return {polynomial_kernel(X, gamma, options.coef0, options.degree), gamma};
}

ComputedKernel kernel_of_scaled(const Matrix& X, const KernelOptions& options,
                                const Strings& names) {
  switch (options.kernel) {
    case KernelKind::linear:
      return {linear_kernel(X), {}};
    case KernelKind::rbf:
      return exponential_kernel(X, squared_distances(X), options.gamma);
    case KernelKind::poly:
      return polynomial_kernel_of(X, options);
    case KernelKind::laplacian:
      return exponential_kernel(X, absolute_distances(X), options.gamma);
    case KernelKind::cosine:
      return {cosine_kernel(X, names), {}};
    case KernelKind::jaccard:
      return {jaccard_kernel(X), {}};
    case KernelKind::lsk:
      return {latent_semantic_kernel(X, options.components, names), {}};
    case KernelKind::precomputed:
      break;
  }
  return {X, {}};
}

void check_square(const MatrixRef& K) {
  if (K.rows() != K.cols())
    throw InputError(
        fmt::format("kernel=precomputed: the kernel is {} x {}, not square", K.rows(), K.cols()),
        "for features choose another kernel, such as kernel=rbf");
}

void check_overflow(const Matrix& K, KernelKind kind) {
  if (!K.allFinite())
    throw InputError(fmt::format("kernel={}: entries of the kernel are too large for a number",
                                 kernel_name(kind)),
                     "scale the features (zscore), or take a smaller gamma, coef0 or degree");
}

}  // namespace

bool scales_columns(const KernelOptions& options) {
  if (options.scale != FeatureScaling::automatic) return options.scale == FeatureScaling::zscore;
  const KernelKind kind = options.kernel;
  return kind == KernelKind::linear || kind == KernelKind::rbf || kind == KernelKind::poly ||
         kind == KernelKind::laplacian;
}

ComputedKernel compute_kernel(const MatrixRef& X, const KernelOptions& options,
                              const Strings& names) {
  kernel_option_table().verify(options);
  if (options.kernel == KernelKind::precomputed) {
    check_square(X);
    return {X, {}};
  }
  detail::check_features("kernel=" + kernel_name(options.kernel), X, names);
  ComputedKernel result =
      kernel_of_scaled(scales_columns(options) ? zscore(X) : Matrix(X), options, names);
  check_overflow(result.kernel, options.kernel);
  return result;
}

}  // namespace mkc
