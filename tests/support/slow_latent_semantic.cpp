// In a file of its own: Eigen's SVD takes long to compile.
#include <Eigen/SVD>

#include "kernels/slow_kernels.hpp"

namespace mkc::test {

Matrix slow_latent_semantic(const Matrix& X, Index components) {
  const Eigen::JacobiSVD<Matrix> svd(X, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Index k = std::min(components, svd.singularValues().size());
  const Matrix Z = svd.matrixU().leftCols(k) * svd.singularValues().head(k).asDiagonal();
  return slow_cosine(Z);
}

}  // namespace mkc::test
