#include "numeric/linalg/psd.hpp"

#include <algorithm>

#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc::linalg {

Matrix project_psd(const MatrixRef& A) {
  const Eigh e = eigh(A);
  const Index n = A.rows();
  const Index negative = (e.values.array() < 0).count();
  if (negative == 0) return A;
  // The smaller part of the spectrum costs less: A+ = V+ L+ V+' or A+ = A + V- |L-| V-'.
  if (negative > n / 2) {
    const Matrix half =
        e.vectors.rightCols(n - negative) * e.values.tail(n - negative).cwiseSqrt().asDiagonal();
    return gram_of_rows(half);
  }
  const Matrix half =
      e.vectors.leftCols(negative) * (-e.values.head(negative)).cwiseSqrt().asDiagonal();
  Matrix projected = gram_of_rows(half);
  projected += A;
  mirror_lower(projected);
  return projected;
}

bool is_psd(const MatrixRef& A, double tolerance) {
  if (A.rows() == 0) return true;
  // lambda_max >= max_i a_ii, so a Cholesky factor of A + tolerance max_i a_ii I settles it.
  const double shift = tolerance * A.diagonal().maxCoeff();
  if (shift > 0) {
    Matrix shifted = A;
    shifted.diagonal().array() += shift;
    if (Cholesky::factor(std::move(shifted))) return true;
  }
  const Vector values = eigenvalues(A);
  return values(0) >= -tolerance * std::max(0.0, values(values.size() - 1));
}

double asymmetry(const MatrixRef& A) {
  constexpr Index tile = 64;
  const Index n = A.rows();
  double largest = 0;
  for (Index j = 0; j < n; j += tile)
    for (Index i = j; i < n; i += tile) {
      const Index rows = std::min(tile, n - i), cols = std::min(tile, n - j);
      largest =
          std::max(largest, (A.block(i, j, rows, cols) - A.block(j, i, cols, rows).transpose())
                                .cwiseAbs()
                                .maxCoeff());
    }
  return largest;
}

}  // namespace mkc::linalg
