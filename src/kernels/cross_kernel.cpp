#include "kernels/cross_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/prepare.hpp"
#include "numeric/exponential.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc {

namespace {

// |a|^2 + |b|^2 - 2 a'b of points seen from the mean of B, which shortens them.
Matrix squared_distances_between(const MatrixRef& A, const MatrixRef& B) {
  const Eigen::RowVectorXd mean = B.colwise().mean();
  const Matrix a = A.rowwise() - mean, b = B.rowwise() - mean;
  Matrix D(a.rows(), b.rows());
  linalg::gemm(-2, a, linalg::Op::none, b, linalg::Op::transpose, 0, D);
  D.colwise() += a.rowwise().squaredNorm();
  D.rowwise() += b.rowwise().squaredNorm().transpose();
  return D.cwiseMax(0);
}

double power(double base, Index exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 == 1) result *= base;
  return result;
}

// Any kernel: that of A and B together, tile by tile, so that at most half of it is thrown away.
Matrix by_tiles(const MatrixRef& A, const MatrixRef& B, const KernelOptions& options) {
  const Index tile = std::max<Index>(64, B.rows());
  Matrix K(A.rows(), B.rows());
  for (Index first = 0; first < A.rows(); first += tile) {
    const Index count = std::min(tile, A.rows() - first);
    Matrix both(B.rows() + count, B.cols());
    both << B, A.middleRows(first, count);
    K.middleRows(first, count) =
        kernel_of_points(both, options, {}).kernel.bottomLeftCorner(count, B.rows());
  }
  return K;
}

}  // namespace

Matrix unit_rows(Matrix A) {
  for (Index i = 0; i < A.rows(); ++i)
    if (const double norm = A.row(i).stableNorm(); norm > 0) A.row(i) /= norm;
  return A;
}

Matrix cross_kernel(const MatrixRef& A, const MatrixRef& B, const KernelOptions& options) {
  switch (options.kernel) {
    case KernelKind::linear:
      return linalg::multiply_nt(A, B);
    case KernelKind::cosine:
    case KernelKind::lsk:
      return linalg::multiply_nt(unit_rows(A), unit_rows(B)).cwiseMin(1).cwiseMax(-1);
    case KernelKind::rbf: {
      Matrix K = squared_distances_between(A, B);
      K *= -options.gamma.value;
      exponentials(K.data(), K.size());
      return K;
    }
    case KernelKind::poly: {
      Matrix K = linalg::multiply_nt(A, B);
      const double gamma = options.gamma.value, c = options.coef0;
      const Index degree = options.degree;
      return K.unaryExpr([=](double k) { return power(gamma * k + c, degree); });
    }
    default:
      return by_tiles(A, B, options);
  }
}

Vector kernel_diagonal(const MatrixRef& A, const KernelOptions& options) {
  if (options.kernel == KernelKind::linear) return A.rowwise().squaredNorm();
  if (options.kernel == KernelKind::poly)
    return A.rowwise().squaredNorm().unaryExpr(
        [&](double k) { return power(options.gamma.value * k + options.coef0, options.degree); });
  return Vector::Ones(A.rows());
}

Matrix equal_words(const MatrixRef& A, const MatrixRef& B) {
  Matrix K = Matrix::Zero(A.rows(), B.rows());
  for (Index c = 0; c < A.cols(); ++c)
    for (Index j = 0; j < B.rows(); ++j)
      K.col(j).array() += (A.col(c).array() == B(j, c)).cast<double>();
  return K / static_cast<double>(A.cols());
}

}  // namespace mkc
