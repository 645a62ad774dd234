#include "mkc/analyse/embed.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "analyse/checks.hpp"
#include "analyse/spectral.hpp"
#include "mkc/base/error.hpp"
#include "mkc/combine.hpp"
#include "numeric/centred.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"
#include "numeric/signs.hpp"

namespace mkc {

namespace {

constexpr Index scale_neighbour = 7;
constexpr double ridge_share = 0.1;  // of the largest eigenvalue
constexpr double rank_tolerance = 1e-10;

// At most d pairs, values descending, without those that are rounding errors of A.
linalg::Eigh leading(const Matrix& A, Index d) {
  const linalg::Eigh found = linalg::eigh_largest(A, d);
  const double floor = rank_tolerance * std::max(found.values(d - 1), 0.0);
  Index count = 0;
  while (count < d && found.values(d - 1 - count) > floor) ++count;
  return {found.values.tail(count).reverse(),
          with_fixed_signs(found.vectors.rightCols(count).rowwise().reverse())};
}

Matrix combined(const std::vector<Matrix>& kernels, const Strings& views) {
  if (kernels.size() == 1) return kernels.front();
  return combine_kernels(kernels, equal_weights(static_cast<Index>(kernels.size())), views);
}

Embedding kernel_pca(const Matrix& K, Index d) {
  const Matrix C = centred(K);
  const linalg::Eigh found = leading(C, d);
  return {EmbedMethod::kernel_pca, found.vectors * found.values.cwiseSqrt().asDiagonal(),
          found.values / C.trace()};
}

// Distance of every sample to its 7th neighbour, or to the last where there are fewer; not zero.
Vector local_scales(const Matrix& D) {
  Vector scales(D.rows());
  std::vector<double> row;
  for (Index i = 0; i < D.rows(); ++i) {
    row.assign(D.col(i).begin(), D.col(i).end());
    const auto place = row.begin() + std::min(scale_neighbour, D.rows() - 1);  // 0 is itself
    std::nth_element(row.begin(), place, row.end());
    scales(i) = std::sqrt(*place);
  }
  return scales.cwiseMax(1e-6 * scales.maxCoeff());
}

Embedding diffusion(const Matrix& K, Index d) {
  Indices all(static_cast<std::size_t>(K.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  const Matrix D = kernel_distances(K, all, all);
  const Vector scales = local_scales(D);
  Matrix W = (-D.array() / (scales * scales.transpose()).array()).exp();
  const Vector density = W.rowwise().sum();
  W.array() /= (density * density.transpose()).array();
  const Vector degrees = W.rowwise().sum();
  Matrix S = normalized_graph(std::move(W));
  const Vector constant = degrees.cwiseSqrt().normalized();  // the eigenvector of eigenvalue 1
  S -= constant * constant.transpose();
  const linalg::Eigh found = leading(S, d);
  // psi = D^-1/2 u, scaled so that the constant one is 1
  const Matrix psi =
      std::sqrt(degrees.sum()) * (degrees.cwiseSqrt().cwiseInverse().asDiagonal() * found.vectors);
  return {EmbedMethod::diffusion, with_fixed_signs(psi * found.values.asDiagonal()), found.values};
}

Embedding latent_axes(const std::vector<Matrix>& kernels, const Strings& views, Index d) {
  if (kernels.size() < 2)
    throw InputError("latent axes are what several views share; there is one kernel",
                     {{"method", "kernel-pca", "suits one kernel"}});
  const Index n = kernels.front().rows();
  Matrix sum = Matrix::Zero(n, n);
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    Matrix A = centred(kernels[m]);
    const double ridge = ridge_share * linalg::eigh_largest(A, 1).values(0);
    A.diagonal().array() += ridge;
    if (!linalg::invert_positive_definite(A))
      throw InputError(
          fmt::format("view '{}': its kernel is far from positive semi-definite", views[m]));
    sum += Matrix::Identity(n, n) - ridge * A;  // C (C + rI)^-1 = I - r (C + rI)^-1
  }
  const linalg::Eigh found = leading(sum / static_cast<double>(kernels.size()), d);
  return {EmbedMethod::latent, found.vectors * std::sqrt(static_cast<double>(n)), found.values};
}

}  // namespace

const Strings& embed_method_names() {
  static const Strings names = {"kernel-pca", "diffusion", "latent"};
  return names;
}

Embedding embed(const std::vector<Matrix>& kernels, const Strings& views, const Strings& samples,
                const EmbedOptions& options) {
  check_complete_kernels(kernels, views, samples);
  const auto n = static_cast<Index>(samples.size());
  if (options.dimensions < 1 || options.dimensions > n - 1)
    throw OptionError(fmt::format("dimensions: {} of {} samples", options.dimensions, n),
                      fmt::format("from 1 to {}, one less than the samples", n - 1));
  switch (options.method) {
    case EmbedMethod::diffusion:
      return diffusion(combined(kernels, views), options.dimensions);
    case EmbedMethod::latent:
      return latent_axes(kernels, views, options.dimensions);
    case EmbedMethod::kernel_pca:
      break;
  }
  return kernel_pca(combined(kernels, views), options.dimensions);
}

}  // namespace mkc
