#pragma once

#include <optional>

#include "mkc/base/types.hpp"

namespace mkc::linalg {

/// A = L L' of a symmetric positive definite matrix.
class Cholesky {
 public:
  /// nullopt where A is not positive definite. The lower triangle is read.
  static std::optional<Cholesky> factor(Matrix A);

  Matrix solve(const MatrixRef& B) const;  // A^-1 B
  Matrix inverse() const;                  // A^-1, exactly symmetric
  double log_determinant() const;

  Matrix whitening() const;       // W = L^-T, upper triangular: A^-1 = W W'
  double smallest_share() const;  // of the diagonal of L, squared, in its largest entry

 private:
  explicit Cholesky(Matrix L) : L_(std::move(L)) {}
  Matrix L_;  // its strict upper triangle is not meaningful
};

/// A <- A^-1, exactly symmetric, without another matrix; false where A is not positive definite,
/// and A is overwritten then. The lower triangle is read.
bool invert_positive_definite(Matrix& A);

}  // namespace mkc::linalg
