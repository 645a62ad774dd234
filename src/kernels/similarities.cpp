#include "kernels/similarities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "kernels/checks.hpp"
#include "kernels/distances.hpp"
#include "kernels/functions.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc {

namespace {

void require_non_negative(const char* kernel, const MatrixRef& X, const Strings& names) {
  if (X.size() == 0 || X.minCoeff() >= 0) return;
  Index row = 0, column = 0;
  X.minCoeff(&row, &column);
  throw InputError(
      fmt::format("kernel={}: {} has the value {}, and this kernel compares amounts that are not "
                  "negative",
                  kernel, detail::sample_label(names, row), X(row, column)),
      "kernel=rbf takes any numbers");
}

// K <- f(k_ij, i, j) below the diagonal, 1 on it, mirrored above.
template <class Function>
Matrix with_unit_diagonal(Matrix K, Function f) {
  for (Index j = 0; j < K.cols(); ++j) {
    K(j, j) = 1;
    for (Index i = j + 1; i < K.rows(); ++i) K(i, j) = f(K(i, j), i, j);
  }
  linalg::mirror_lower(K);
  return K;
}

// f(sum of absolute differences, sum of both rows); two rows of zeros are equal.
template <class Function>
Matrix of_shared_amounts(const MatrixRef& X, Function f) {
  const Vector sums = X.rowwise().sum();
  return with_unit_diagonal(absolute_distances(X), [&](double difference, Index i, Index j) {
    const double both = sums(i) + sums(j);
    return both == 0 ? 1.0 : std::max(0.0, f(difference, both));
  });
}

}  // namespace

Matrix chi_square_distances(const MatrixRef& X, const Strings& names) {
  require_non_negative("chi2", X, names);
  constexpr double least = std::numeric_limits<double>::min();  // 0/0 becomes 0
  const Matrix T = X.transpose();                               // (d, n): samples are contiguous
  Matrix D = Matrix::Zero(T.cols(), T.cols());
  for (Index j = 0; j < T.cols(); ++j)
    for (Index i = j + 1; i < T.cols(); ++i) {
      const auto x = T.col(i).array(), y = T.col(j).array();
      D(i, j) = ((x - y).square() / (x + y).max(least)).sum();
    }
  linalg::mirror_lower(D);
  return D;
}

Matrix bray_curtis_kernel(const MatrixRef& X, const Strings& names) {
  require_non_negative("braycurtis", X, names);
  return of_shared_amounts(X, [](double difference, double both) { return 1 - difference / both; });
}

Matrix ruzicka_kernel(const MatrixRef& X, const Strings& names) {
  require_non_negative("ruzicka", X, names);
  // sum min = (both - difference) / 2, sum max = (both + difference) / 2
  return of_shared_amounts(
      X, [](double difference, double both) { return (both - difference) / (both + difference); });
}

Matrix tanimoto_kernel(const MatrixRef& X) {
  Matrix K = linalg::gram_of_rows(X);
  const Vector squares = K.diagonal();
  return with_unit_diagonal(std::move(K), [&](double product, Index i, Index j) {
    const double rest = squares(i) + squares(j) - product;
    return rest == 0 ? 1.0 : std::min(1.0, product / rest);
  });
}

Matrix spectral_angle_kernel(const MatrixRef& X, const Strings& names) {
  const Matrix Y = unit_columns("spectral_angle", X, names);
  return with_unit_diagonal(linalg::gram_of_columns(Y), [&](double cosine, Index i, Index j) {
    constexpr double steep = 0.9;  // beyond it the arc sine multiplies the rounding of the cosine
    if (std::fabs(cosine) < steep) return 2 * std::asin(cosine) / std::numbers::pi;
    // theta = 2 asin(||u - v|| / 2) for small angles, and pi minus that of u and -v for large ones
    const double sign = std::copysign(1.0, cosine);
    const double half = (Y.col(i) - sign * Y.col(j)).norm() / 2;
    return sign * (1 - 4 * std::asin(half) / std::numbers::pi);
  });
}

Matrix ordinal_kernel(const MatrixRef& X) {
  const auto d = static_cast<double>(X.cols());
  return with_unit_diagonal(absolute_distances(X.cwiseMax(0.0).cwiseMin(1.0)),
                            [d](double difference, Index, Index) { return 1 - difference / d; });
}

Matrix categorical_kernel(const MatrixRef& X) {
  const Matrix T = X.transpose();
  const auto d = static_cast<double>(T.rows());
  return with_unit_diagonal(Matrix::Zero(T.cols(), T.cols()), [&](double, Index i, Index j) {
    return static_cast<double>((T.col(i).array() == T.col(j).array()).count()) / d;
  });
}

}  // namespace mkc
