#include "kernels/latent_semantic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "kernels/checks.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc {

namespace {

// A latent row shorter than this share of the largest singular value is rounding noise.
constexpr double noise = 1e-12;

// The leading eigenpairs above rounding: at most k, and at least one.
linalg::Eigh leading_pairs(const Matrix& gram, Index k) {
  if (!gram.allFinite())
    throw InputError("kernel=lsk: products of the features are too large for a number",
                     "divide the features by a constant, which leaves this kernel as it is");
  linalg::Eigh e = linalg::eigh_largest(gram, std::min(k, gram.rows()));
  const double epsilon = std::numeric_limits<double>::epsilon();
  const double cut = static_cast<double>(gram.rows()) * epsilon * e.values.tail(1)(0);
  const Index kept = std::max<Index>(1, (e.values.array() > cut).count());
  return {e.values.tail(kept).cwiseMax(0), e.vectors.rightCols(kept)};
}

// Rows of Z (n, k) scaled to length 1, then Z Z'.
Matrix cosine_of_latent(Matrix Z, Index components, const Strings& names) {
  const Vector lengths = Z.rowwise().norm();
  const double longest = Z.colwise().norm().maxCoeff();  // the largest singular value
  for (Index i = 0; i < Z.rows(); ++i) {
    if (!(lengths(i) > noise * longest))
      throw InputError(
          fmt::format("kernel=lsk: {} is zero in the first {} components",
                      detail::sample_label(names, i), components),
          "drop the sample, or keep more components if it has features that are not zero");
    Z.row(i) /= lengths(i);
  }
  Matrix K = linalg::gram_of_rows(Z).cwiseMin(1.0).cwiseMax(-1.0);
  K.diagonal().setOnes();
  return K;
}

}  // namespace

Matrix latent_semantic_kernel(const MatrixRef& X, Index components, const Strings& names) {
  if (X.rows() <= X.cols()) {
    // X X' = U S^2 U' -> Z = U S
    const linalg::Eigh e = leading_pairs(linalg::gram_of_rows(X), components);
    return cosine_of_latent(e.vectors * e.values.cwiseSqrt().asDiagonal(), components, names);
  }
  // X' X = V S^2 V' -> Z = X V
  const linalg::Eigh e = leading_pairs(linalg::gram_of_columns(X), components);
  return cosine_of_latent(linalg::multiply(X, e.vectors), components, names);
}

Matrix latent_directions(const MatrixRef& X, Index components) {
  if (X.rows() > X.cols()) return leading_pairs(linalg::gram_of_columns(X), components).vectors;
  const linalg::Eigh e = leading_pairs(linalg::gram_of_rows(X), components);
  return linalg::multiply_tn(X, e.vectors) * e.values.cwiseSqrt().cwiseInverse().asDiagonal();
}

}  // namespace mkc
