#include "mkc/factor/completed_block.hpp"

#include "numeric/linalg/blas.hpp"

namespace mkc::factor {

Matrix kernel_block(const MatrixRef& A, const MatrixRef& B) { return linalg::multiply_nt(A, B); }

Matrix kernel_block_with_diagonal(const MatrixRef& A, const Eigen::Ref<const Vector>& extra) {
  Matrix K = linalg::gram_of_rows(A);
  K.diagonal() += extra;
  return K;
}

}  // namespace mkc::factor
