#pragma once

#include "mkc/base/types.hpp"

namespace mkc::solvers {

/// A = L L' of a matrix that gains and loses rows and columns, in O(k^2) each time.
class GrowingCholesky {
 public:
  explicit GrowingCholesky(Index most) : L_(Matrix::Zero(most, most)) {}

  Index size() const { return size_; }

  /// x <- L^-1 x, x <- A^-1 x, on the first size() entries.
  void solve_lower(Eigen::Ref<Vector> x) const;
  void solve(Eigen::Ref<Vector> x) const;

  /// Appends a row and column: l = L^-1 a, pivot = a_new,new - l'l > 0.
  void append(const Eigen::Ref<const Vector>& l, double pivot);

  /// Removes row and column i by plane rotations.
  void remove(Index i);

 private:
  Matrix L_;  // lower triangular, its first size_ rows and columns in use
  Index size_ = 0;
};

}  // namespace mkc::solvers
