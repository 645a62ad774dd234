#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// How the kernel P of the source views becomes the G of a regression.
struct SourceShape {
  double gamma = 0.5;     // G = exp(-gamma D_P / mean D_P); 0: P itself
  bool intercept = true;  // a large constant is added: weights sum to about 1
};

/// Mean of p_ii + p_jj - 2 p_ij over the pairs i != j, above 0.
double mean_distance(double trace, double sum, Index n);

/// A part of a column of P (values, count) <- that of G; `diagonal` holds the p_ii of its rows and
/// `own` is that of the column.
void shape_column(const SourceShape& shape, double mean_distance, const double* diagonal,
                  double own, double* values, Index count);

/// G of the training samples, with what is needed to continue it to new ones.
class SourceKernel {
 public:
  /// P (n, n), symmetric, about unit mean diagonal.
  SourceKernel(Matrix P, const SourceShape& shape);

  const Matrix& G() const { return G_; }
  Matrix& G() { return G_; }

  /// g_I of new samples, (n, count), from their columns of P and their own p(x, x).
  Matrix columns(Matrix P_new, const Vector& own) const;

  /// g(x, x).
  Vector own(const Vector& p) const;

 private:
  SourceShape shape_;
  Vector diagonal_;           // of P
  double mean_distance_ = 1;  // of the pairs of different samples
  Matrix G_;
};

}  // namespace mkc
