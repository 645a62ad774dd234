#include "mkc/kernels/kernel_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/checks.hpp"
#include "kernels/functions.hpp"
#include "kernels/prepare.hpp"
#include "kernels/similarities.hpp"
#include "mkc/base/error.hpp"
#include "mkc/kernels/feature_type.hpp"

namespace mkc {

namespace {

// The number behind a gamma rule. `distances` is called only by the rules that need them.
template <class Distances>
double resolve_gamma(const Gamma& gamma, const Matrix& X, Distances distances) {
  switch (gamma.rule) {
    case Gamma::Rule::automatic:
    case Gamma::Rule::median:
      return median_gamma(distances());
    case Gamma::Rule::scale:
      return scale_gamma(X);
    case Gamma::Rule::number:
      break;
  }
  return gamma.value;
}

ComputedKernel polynomial_kernel_of(const Matrix& X, const KernelOptions& options) {
  const double gamma = resolve_gamma(options.gamma, X, [&] { return squared_distances(X); });
  return {polynomial_kernel(X, gamma, options.coef0, options.degree), gamma};
}

bool is_exponential(KernelKind kind) {
  return kind == KernelKind::rbf || kind == KernelKind::laplacian || kind == KernelKind::chi2;
}

// d with kernel exp(-gamma d)
Matrix distances_of(const Matrix& X, KernelKind kind, const Strings& names) {
  if (kind == KernelKind::rbf) return squared_distances(X);
  if (kind == KernelKind::laplacian) return absolute_distances(X);
  return chi_square_distances(X, names);
}

// exp(-gamma d) with the distances computed once, for gamma and for the kernel.
ComputedKernel exponential_kernel(const Matrix& X, const KernelOptions& options,
                                  const Strings& names) {
  Matrix D = distances_of(X, options.kernel, names);
  const double gamma = resolve_gamma(options.gamma, X, [&]() -> const Matrix& { return D; });
  return {exponential_of_distances(std::move(D), gamma), gamma};
}

ComputedKernel unchecked_kernel(const Matrix& X, const KernelOptions& options,
                                const Strings& names) {
  switch (options.kernel) {
    case KernelKind::rbf:
    case KernelKind::laplacian:
    case KernelKind::chi2:
      return exponential_kernel(X, options, names);
    case KernelKind::linear:
      return {linear_kernel(X), {}};
    case KernelKind::poly:
      return polynomial_kernel_of(X, options);
    case KernelKind::cosine:
      return {cosine_kernel(X, names), {}};
    case KernelKind::jaccard:
      return {jaccard_kernel(X), {}};
    case KernelKind::lsk:
      return {latent_semantic_kernel(X, options.components, names), {}};
    case KernelKind::braycurtis:
      return {bray_curtis_kernel(X, names), {}};
    case KernelKind::ruzicka:
      return {ruzicka_kernel(X, names), {}};
    case KernelKind::tanimoto:
      return {tanimoto_kernel(X), {}};
    case KernelKind::spectral_angle:
      return {spectral_angle_kernel(X, names), {}};
    case KernelKind::ordinal:
      return {ordinal_kernel(X), {}};
    case KernelKind::categorical:
      return {categorical_kernel(X), {}};
    case KernelKind::automatic:
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

// Options without anything automatic but gamma, checked, for features that can be used.
KernelOptions checked_options(const MatrixRef& X, const KernelOptions& options,
                              const Strings& names) {
  kernel_option_table().verify(options);
  detail::check_features("kernel=" + kernel_name(options.kernel), X, names);
  return settled(X, options).options;
}

ComputedKernel mixed_kernel(const MatrixRef& X, const KernelOptions& options, const Strings& names,
                            const Indices& categories) {
  const ColumnsByKind columns = columns_by_kind(X.cols(), categories);
  const Matrix words = X(Eigen::all, columns.categories);
  if (columns.numbers.empty()) return {categorical_kernel(words), {}};
  check_goes_with_words(options);
  ComputedKernel result = compute_kernel(X(Eigen::all, columns.numbers), options, names);
  add_categories(result.kernel, std::ssize(columns.numbers), words);
  return result;
}

}  // namespace

ComputedKernel kernel_of_points(const Matrix& points, const KernelOptions& options,
                                const Strings& names) {
  ComputedKernel result = unchecked_kernel(points, options, names);
  check_overflow(result.kernel, options.kernel);
  return result;
}

bool scales_columns(const KernelOptions& options) {
  if (options.scale != FeatureScaling::automatic) return options.scale == FeatureScaling::zscore;
  const KernelKind kind = options.kernel;
  const bool usual = kind == KernelKind::linear || kind == KernelKind::rbf ||
                     kind == KernelKind::poly || kind == KernelKind::laplacian;
  return usual && options.transform != Transform::minmax && options.transform != Transform::zscore;
}

PreparedFeatures prepare_features(const MatrixRef& X, const KernelOptions& options,
                                  const Strings& names, const Strings& columns) {
  PreparedFeatures prepared;
  prepared.transform = FeatureTransform::fit(X, options.transform, options.library_size, names);
  prepared.points = prepared.transform.changes_nothing()
                        ? Matrix(X)
                        : prepared.transform.apply(X, names, columns);
  if (scales_columns(options)) {
    prepared.scaling = ColumnScaling::fit(prepared.points);
    prepared.points = prepared.scaling->apply(prepared.points);
  }
  return prepared;
}

ColumnsByKind columns_by_kind(Index columns, const Indices& categories) {
  ColumnsByKind kinds{{}, categories};
  for (Index j = 0; j < columns; ++j)
    if (!std::binary_search(categories.begin(), categories.end(), j)) kinds.numbers.push_back(j);
  return kinds;
}

void check_goes_with_words(const KernelOptions& options) {
  if (options.kernel == KernelKind::linear || options.kernel == KernelKind::poly)
    throw OptionError(
        fmt::format("kernel={}: some columns hold words, and their similarities, from "
                    "0 to 1, do not add up with those of this kernel",
                    kernel_name(options.kernel)),
        "choose kernel=auto or kernel=rbf, or leave these columns out");
}

void add_categories(Matrix& K, Index numbers, const Matrix& words) {
  const auto d1 = static_cast<double>(numbers), d2 = static_cast<double>(words.cols());
  K = (d1 * K + d2 * categorical_kernel(words)) / (d1 + d2);
}

ComputedKernel compute_kernel(const MatrixRef& X, const KernelOptions& options,
                              const Strings& names, const Indices& categories,
                              const Strings& columns) {
  if (options.kernel == KernelKind::precomputed) {
    check_square(X);
    return {X, {}};
  }
  if (!categories.empty()) return mixed_kernel(X, options, names, categories);
  const KernelOptions chosen = checked_options(X, options, names);
  return kernel_of_points(prepare_features(X, chosen, names, columns).points, chosen, names);
}

std::optional<Matrix> kernel_distances(const MatrixRef& X, const KernelOptions& options,
                                       const Strings& names, const Strings& columns) {
  const KernelOptions chosen = checked_options(X, options, names);
  if (!is_exponential(chosen.kernel)) return std::nullopt;
  return distances_of(prepare_features(X, chosen, names, columns).points, chosen.kernel, names);
}

}  // namespace mkc
