#include "mkc/kernels/trained_kernel.hpp"

#include <fmt/format.h>

#include "kernels/latent_semantic.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc {

namespace {

// Between points that need no more scaling: latent rows meet in their cosine.
KernelOptions between_points(const TrainedKernel& kernel) {
  KernelOptions options = kernel.options;
  options.scale = FeatureScaling::none;
  if (options.kernel == KernelKind::lsk) options.kernel = KernelKind::cosine;
  return options;
}

}  // namespace

TrainedKernel train_kernel(const MatrixRef& X, const KernelOptions& options,
                           std::optional<double> gamma) {
  TrainedKernel kernel{options, {}, {}, X};
  if (gamma) kernel.options.gamma = Gamma::number(*gamma);
  if (scales_columns(options)) {
    kernel.scaling = ColumnScaling::fit(X);
    kernel.points = kernel.scaling->apply(X);
  }
  if (options.kernel == KernelKind::lsk) {
    kernel.directions = latent_directions(kernel.points, options.components);
    kernel.points = linalg::multiply(kernel.points, kernel.directions);
  }
  return kernel;
}

KernelOfNew kernel_of_new(const TrainedKernel& kernel, const MatrixRef& X, const Strings& names) {
  Matrix points = kernel.scaling ? kernel.scaling->apply(X) : Matrix(X);
  if (kernel.directions.size() > 0) points = linalg::multiply(points, kernel.directions);
  const Index n = kernel.points.rows(), count = points.rows();
  if (points.cols() != kernel.points.cols())
    throw InputError(fmt::format("new samples have {} features, the training samples {}",
                                 points.cols(), kernel.points.cols()));
  Matrix all(n + count, points.cols());
  all << kernel.points, points;
  Strings all_names;
  if (!names.empty()) {
    all_names.assign(static_cast<std::size_t>(n), "a training sample");
    all_names.insert(all_names.end(), names.begin(), names.end());
  }
  const Matrix K = compute_kernel(all, between_points(kernel), all_names).kernel;
  return {K.bottomLeftCorner(count, n), K.diagonal().tail(count)};
}

}  // namespace mkc
