#include "mkc/kernels/kernel_options.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "kernels/checks.hpp"
#include "mkc/error.hpp"
#include "mkc/kernels/features.hpp"
#include "mkc/kernels/functions.hpp"
#include "mkc/text.hpp"

namespace mkc {

namespace {

const Strings& kernel_names() {
  static const Strings names{"linear", "rbf",     "poly", "laplacian",
                             "cosine", "jaccard", "lsk",  "precomputed"};
  return names;
}

const std::string& name_of(KernelKind kind) {
  return kernel_names().at(static_cast<std::size_t>(kind));
}

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
    throw InputError(
        fmt::format("kernel={}: entries of the kernel are too large for a number", name_of(kind)),
        "use scale=zscore, or a smaller gamma, coef0 or degree");
}

}  // namespace

bool scales_columns(const KernelOptions& options) {
  if (options.scale != FeatureScaling::automatic) return options.scale == FeatureScaling::zscore;
  const KernelKind kind = options.kernel;
  return kind == KernelKind::linear || kind == KernelKind::rbf || kind == KernelKind::poly ||
         kind == KernelKind::laplacian;
}

Gamma gamma_from_text(const std::string& option, const std::string& text) {
  if (text == "median") return {Gamma::Rule::median, 1};
  if (text == "scale") return {Gamma::Rule::scale, 1};
  double value = 0;
  if (!parse_number(text, value) || !std::isfinite(value) || value <= 0)
    throw OptionError(fmt::format("option '{}': '{}' is not median, scale or a number > 0{}",
                                  option, text, suggestion(text, {"median", "scale"})));
  return Gamma::number(value);
}

std::string gamma_to_text(const Gamma& gamma) {
  if (gamma.rule == Gamma::Rule::median) return "median";
  if (gamma.rule == Gamma::Rule::scale) return "scale";
  return format_number(gamma.value);
}

OptionTable<KernelOptions> kernel_option_table() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr Index unbounded = std::numeric_limits<Index>::max();
  OptionTable<KernelOptions> table("kernel");
  table.choice("kernel", &KernelOptions::kernel, kernel_names(), "how features become a kernel")
      .custom("gamma", &KernelOptions::gamma, "median|scale|a number > 0",
              "width of rbf, poly and laplacian: median = 1/median distance (rbf, poly: squared), "
              "scale = 1/(d var(X)); larger sees only closer samples",
              gamma_from_text, gamma_to_text)
      .count("degree", &KernelOptions::degree, 1, 100,
             "degree of poly; larger weighs products of more features")
      .number("coef0", &KernelOptions::coef0, 0, infinity,
              "constant of poly; larger weighs low degrees more")
      .count("components", &KernelOptions::components, 1, unbounded,
             "singular vectors kept by lsk; larger keeps more of the features")
      .choice("scale", &KernelOptions::scale, {"auto", "zscore", "none"},
              "columns to mean 0 and deviation 1; auto does so for linear, rbf, poly, laplacian");
  return table;
}

ComputedKernel compute_kernel(const MatrixRef& X, const KernelOptions& options,
                              const Strings& names) {
  kernel_option_table().verify(options);
  if (options.kernel == KernelKind::precomputed) {
    check_square(X);
    return {X, {}};
  }
  detail::check_features(("kernel=" + name_of(options.kernel)).c_str(), X, names);
  ComputedKernel result =
      kernel_of_scaled(scales_columns(options) ? zscore(X) : Matrix(X), options, names);
  check_overflow(result.kernel, options.kernel);
  return result;
}

}  // namespace mkc
