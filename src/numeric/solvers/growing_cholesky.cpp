#include "numeric/solvers/growing_cholesky.hpp"

#include <cmath>

namespace mkc::solvers {

void GrowingCholesky::solve_lower(Eigen::Ref<Vector> x) const {
  L_.topLeftCorner(size_, size_).triangularView<Eigen::Lower>().solveInPlace(x);
}

void GrowingCholesky::solve(Eigen::Ref<Vector> x) const {
  solve_lower(x);
  L_.topLeftCorner(size_, size_).triangularView<Eigen::Lower>().transpose().solveInPlace(x);
}

void GrowingCholesky::append(const Eigen::Ref<const Vector>& l, double pivot) {
  L_.row(size_).head(size_) = l.transpose();
  L_(size_, size_) = std::sqrt(pivot);
  ++size_;
}

void GrowingCholesky::remove(Index i) {
  // Without row i, rows i, i+1, ... carry one entry right of the diagonal; rotations of
  // neighbouring columns take it away.
  for (Index r = i; r + 1 < size_; ++r) L_.row(r).head(r + 2) = L_.row(r + 1).head(r + 2);
  --size_;
  for (Index j = i; j < size_; ++j) {
    const double length = std::hypot(L_(j, j), L_(j, j + 1));
    const double cosine = L_(j, j) / length, sine = L_(j, j + 1) / length;
    for (Index r = j; r < size_; ++r) {
      const double left = L_(r, j), right = L_(r, j + 1);
      L_(r, j) = cosine * left + sine * right;
      L_(r, j + 1) = cosine * right - sine * left;
    }
    L_(j, j + 1) = 0;
  }
}

}  // namespace mkc::solvers
