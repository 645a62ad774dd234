#include "mkc/combine.hpp"

#include <cmath>

#include <fmt/format.h>

#include "mkc/base/error.hpp"
#include "numeric/blocks.hpp"
#include "numeric/centred.hpp"

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

Vector alignment_weights(const std::vector<Matrix>& kernels, const Labels& labels) {
  const Indices rows = labels.labelled();
  const Labels known = labels.restricted(rows);
  const Matrix target = same_class(known.of_sample);
  Vector weights(static_cast<Index>(kernels.size()));
  for (std::size_t m = 0; m < kernels.size(); ++m)
    weights(static_cast<Index>(m)) =
        std::max(0.0, centred_alignment(submatrix(kernels[m], rows, rows), target));
  if (weights.sum() <= 0)
    throw InputError("no view is aligned with the classes: all weights would be 0",
                     {"check that the labels belong to these samples",
                      {"weights", "mean", "weighs all views equally"}});
  return weights / weights.sum();
}

Matrix combine_kernels(const std::vector<Matrix>& kernels, const Vector& weights,
                       const Strings& views, bool scale) {
  Matrix sum = Matrix::Zero(kernels.front().rows(), kernels.front().cols());
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    double factor = weights(static_cast<Index>(m));
    if (factor == 0) continue;
    if (scale) {
      const double variance = kernel_variance(kernels[m]);
      if (!(variance > 1e-12 * kernels[m].diagonal().cwiseAbs().maxCoeff()))
        throw InputError(
            fmt::format("view '{}': all rows of its kernel are equal, so it has no variance to "
                        "scale by",
                        views[m]),
            "leave the view out");
      factor /= variance;
    }
    sum += factor * kernels[m];
  }
  return sum;
}

}  // namespace mkc
