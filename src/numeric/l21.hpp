#pragma once

#include "mkc/base/types.hpp"

namespace mkc::prox {

/// The penalty c ||A||_2,1 = c sum_i w_i ||a_i||, where a_i is row i of A and w_i its weight. Whole
/// rows become exactly zero. Keeps scratch of n numbers: give each thread its own.
class L21 {
 public:
  /// c >= 0; row_weights (n), all >= 0, or empty where every row counts once.
  explicit L21(double c, Vector row_weights = {});

  /// c sum_i w_i ||a_i||.
  double value(const MatrixRef& A);

  /// A <- argmin_B 1/2 ||B - A||_F^2 + step c ||B||_2,1: block soft-thresholding of every row,
  /// a_i <- max(0, 1 - step c w_i / ||a_i||) a_i.
  void prox(MutableMatrixRef A, double step);

  /// Distance of 0 to G + c d||A||_2,1, G (as A) being the gradient of a smooth function at A. Row
  /// by row ||g_i + c w_i a_i / ||a_i|||| where a_i != 0, else max(0, ||g_i|| - c w_i); all rows
  /// are combined in the Frobenius norm.
  double distance(const MatrixRef& A, const MatrixRef& G);

 private:
  void find_row_norms(const MatrixRef& A);
  double threshold(Index row) const {
    return row_weights_.size() == 0 ? c_ : c_ * row_weights_(row);
  }

  double c_;
  Vector row_weights_;
  Vector norms_;    // (n) ||a_i||
  Vector factors_;  // (n) what row i is multiplied by
  Vector squares_;  // (n) sums of squares of a second matrix
};

}  // namespace mkc::prox
