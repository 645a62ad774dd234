#include "numeric/l21.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mkc/base/error.hpp"

namespace mkc::prox {

L21::L21(double c, Vector row_weights) : c_(c), row_weights_(std::move(row_weights)) {
  if (!(c_ >= 0)) throw OptionError("l2,1 norm: its weight must be at least 0");
  if (!(row_weights_.array() >= 0).all())
    throw InputError("l2,1 norm: a row weight is negative or not a number");
}

// A row is strided in column-major memory, so all norms grow together in one pass over the columns.
void L21::find_row_norms(const MatrixRef& A) {
  if (row_weights_.size() != 0 && row_weights_.size() != A.rows())
    throw InputError("l2,1 norm: " + std::to_string(row_weights_.size()) + " row weights, but " +
                     std::to_string(A.rows()) + " rows");
  norms_.setZero(A.rows());
  for (Index j = 0; j < A.cols(); ++j) norms_.array() += A.col(j).array().square();
  norms_ = norms_.cwiseSqrt();
}

double L21::value(const MatrixRef& A) {
  find_row_norms(A);
  return c_ * (row_weights_.size() == 0 ? norms_.sum() : row_weights_.dot(norms_));
}

void L21::prox(MutableMatrixRef A, double step) {
  find_row_norms(A);
  factors_.resize(A.rows());
  // max(0, 1 - step c w_i / ||a_i||); a zero row stays zero
  for (Index i = 0; i < A.rows(); ++i)
    factors_(i) = norms_(i) == 0 ? 0.0 : std::max(1 - step * threshold(i) / norms_(i), 0.0);
  for (Index j = 0; j < A.cols(); ++j) A.col(j).array() *= factors_.array();
}

double L21::distance(const MatrixRef& A, const MatrixRef& G) {
  if (G.rows() != A.rows() || G.cols() != A.cols())
    throw InputError("l2,1 norm: the gradient's size differs from the matrix's");
  find_row_norms(A);
  factors_.resize(A.rows());
  squares_.setZero(A.rows());
  // ||g_i + (c w_i / ||a_i||) a_i||^2, where a zero row adds nothing to g_i
  for (Index i = 0; i < A.rows(); ++i)
    factors_(i) = norms_(i) == 0 ? 0.0 : threshold(i) / norms_(i);
  for (Index j = 0; j < A.cols(); ++j)
    squares_.array() += (G.col(j).array() + factors_.array() * A.col(j).array()).square();
  double total = 0;
  for (Index i = 0; i < A.rows(); ++i) {
    const double length = std::sqrt(squares_(i));
    const double distance = norms_(i) == 0 ? std::max(length - threshold(i), 0.0) : length;
    total += distance * distance;
  }
  return std::sqrt(total);
}

}  // namespace mkc::prox
