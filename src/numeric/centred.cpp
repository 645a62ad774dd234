#include "numeric/centred.hpp"

namespace mkc {

Matrix centred(const MatrixRef& K) {
  const Vector means = K.colwise().mean();
  Matrix result = K;
  result.colwise() -= means;
  result.rowwise() -= means.transpose();
  result.array() += means.mean();
  return result;
}

}  // namespace mkc
