#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// How the kernel P of the source views becomes the G of a regression.
struct SourceShape {
  double gamma = 0.5;     // G = exp(-gamma D_P / mean D_P); 0: P itself
  bool intercept = true;  // a large constant is added: weights sum to about 1
};

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
