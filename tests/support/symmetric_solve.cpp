#include "support/symmetric_solve.hpp"

#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc::test {

Matrix symmetric_solve(const MatrixRef& A, const Matrix& B) {
  const linalg::Eigh e = linalg::eigh(A);
  const double cut = 1e-12 * e.values.cwiseAbs().maxCoeff();
  const Vector inverse = (e.values.array().abs() > cut).select(e.values.array().inverse(), 0.0);
  const Matrix coordinates = inverse.asDiagonal() * linalg::multiply_tn(e.vectors, B);
  return linalg::multiply(e.vectors, coordinates);
}

}  // namespace mkc::test
