#include "mkc/kernels/trained_kernel.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/checks.hpp"
#include "kernels/latent_semantic.hpp"
#include "kernels/prepare.hpp"
#include "mkc/base/error.hpp"
#include "mkc/kernels/feature_type.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc {

namespace {

// Latent rows meet in their cosine.
KernelOptions between_points(const TrainedKernel& kernel) {
  KernelOptions options = kernel.options;
  if (options.kernel == KernelKind::lsk) options.kernel = KernelKind::cosine;
  return options;
}

void learn_points(const MatrixRef& X, TrainedKernel& kernel) {
  PreparedFeatures prepared = prepare_features(X, kernel.options, {});
  kernel.transform = std::move(prepared.transform);
  kernel.scaling = std::move(prepared.scaling);
  kernel.points = std::move(prepared.points);
  if (kernel.options.kernel == KernelKind::lsk) {
    kernel.directions = latent_directions(kernel.points, kernel.options.components);
    kernel.points = linalg::multiply(kernel.points, kernel.directions);
  }
}

Matrix points_of(const TrainedKernel& kernel, const MatrixRef& X, const Strings& names) {
  Matrix points = kernel.transform.changes_nothing() ? Matrix(X) : kernel.transform.apply(X, names);
  if (kernel.scaling) points = kernel.scaling->apply(points);
  if (kernel.directions.size() > 0) points = linalg::multiply(points, kernel.directions);
  return points;
}

Matrix stacked(const Matrix& above, const Matrix& below) {
  Matrix all(above.rows() + below.rows(), above.cols());
  all << above, below;
  return all;
}

void check_columns(const TrainedKernel& kernel, Index columns) {
  const Index numbers =
      kernel.directions.size() > 0 ? kernel.directions.rows() : kernel.points.cols();
  const Index trained = numbers + std::ssize(kernel.categories);
  if (columns != trained)
    throw InputError(
        fmt::format("new samples have {} features, the training samples {}", columns, trained));
}

Strings names_of_all(Index n, const Strings& names) {
  if (names.empty()) return {};
  Strings all(static_cast<std::size_t>(n), "a training sample");
  all.insert(all.end(), names.begin(), names.end());
  return all;
}

}  // namespace

TrainedKernel train_kernel(const MatrixRef& X, const KernelOptions& options,
                           std::optional<double> gamma, const Indices& categories) {
  TrainedKernel kernel;
  const ColumnsByKind columns = columns_by_kind(X.cols(), categories);
  kernel.options = options;
  if (!columns.numbers.empty()) {
    const Matrix numbers = X(Eigen::all, columns.numbers);
    kernel.options = settled(numbers, options).options;
    learn_points(numbers, kernel);
  }
  if (gamma) kernel.options.gamma = Gamma::number(*gamma);
  kernel.categories = categories;
  kernel.words = X(Eigen::all, categories);
  return kernel;
}

KernelOfNew kernel_of_new(const TrainedKernel& kernel, const MatrixRef& X, const Strings& names) {
  check_columns(kernel, X.cols());
  detail::check_features("kernel=" + kernel_name(kernel.options.kernel), X, names);
  const ColumnsByKind columns = columns_by_kind(X.cols(), kernel.categories);
  const Index count = X.rows(), n = std::max(kernel.points.rows(), kernel.words.rows());
  Matrix K = Matrix::Ones(n + count, n + count);
  if (!columns.numbers.empty()) {
    const Matrix points = points_of(kernel, X(Eigen::all, columns.numbers), names);
    K = kernel_of_points(stacked(kernel.points, points), between_points(kernel),
                         names_of_all(n, names))
            .kernel;
  }
  if (!columns.categories.empty())
    add_categories(K, std::ssize(columns.numbers),
                   stacked(kernel.words, X(Eigen::all, columns.categories)));
  return {K.bottomLeftCorner(count, n), K.diagonal().tail(count)};
}

}  // namespace mkc
