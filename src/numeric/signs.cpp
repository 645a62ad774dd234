#include "numeric/signs.hpp"

namespace mkc {

Matrix with_fixed_signs(Matrix vectors) {
  for (Index k = 0; k < vectors.cols(); ++k) {
    Index largest = 0;
    vectors.col(k).cwiseAbs().maxCoeff(&largest);
    if (vectors(largest, k) < 0) vectors.col(k) *= -1;
  }
  return vectors;
}

}  // namespace mkc
