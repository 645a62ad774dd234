#include "kernels/functions.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "kernels/checks.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc {

namespace {

// K <- f(k_ij) below and on the diagonal, mirrored above it.
template <class Function>
void apply_symmetric(Matrix& K, Function f) {
  for (Index j = 0; j < K.cols(); ++j)
    for (Index i = j; i < K.rows(); ++i) K(i, j) = f(K(i, j), i, j);
  linalg::mirror_lower(K);
}

double power(double base, Index exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 == 1) result *= base;
  return result;
}

}  // namespace

Matrix linear_kernel(const MatrixRef& X) { return linalg::gram_of_rows(X); }

Matrix exponential_of_distances(Matrix D, double gamma) {
  apply_symmetric(D, [gamma](double d, Index, Index) { return std::exp(-gamma * d); });
  return D;
}

Matrix polynomial_kernel(const MatrixRef& X, double gamma, double coef0, Index degree) {
  Matrix K = linalg::gram_of_rows(X);
  apply_symmetric(K, [=](double k, Index, Index) { return power(gamma * k + coef0, degree); });
  return K;
}

Matrix unit_columns(const char* kernel, const MatrixRef& X, const Strings& names) {
  Matrix Y = X.transpose();
  for (Index i = 0; i < Y.cols(); ++i) {
    const double norm = Y.col(i).stableNorm();
    if (norm == 0)
      throw InputError(
          fmt::format("kernel={}: {} has only zeros", kernel, detail::sample_label(names, i)),
          "drop the sample or choose another kernel");
    Y.col(i) /= norm;
  }
  return Y;
}

Matrix cosine_kernel(const MatrixRef& X, const Strings& names) {
  Matrix K = linalg::gram_of_columns(unit_columns("cosine", X, names));
  apply_symmetric(
      K, [](double k, Index i, Index j) { return i == j ? 1.0 : std::clamp(k, -1.0, 1.0); });
  return K;
}

Matrix jaccard_kernel(const MatrixRef& X) {
  const Matrix member = (X.array() != 0).cast<double>();
  Matrix K = linalg::gram_of_rows(member);  // |x and y|, exact: sums of ones
  const Vector sizes = K.diagonal();
  apply_symmetric(K, [&](double both, Index i, Index j) {
    const double either = sizes(i) + sizes(j) - both;
    return either == 0 ? 1.0 : both / either;
  });
  return K;
}

}  // namespace mkc
