#pragma once

#include "mkc/linalg/eigh.hpp"
#include "mkc/types.hpp"

namespace mkc::solvers {

/// Nearest positive semi-definite matrix, for a sequence of matrices of one size that change
/// little: it remembers how the last spectrum was split and computes only the smaller part where
/// that pays. Allocates in the constructor alone.
class PsdProjector {
 public:
  explicit PsdProjector(Index n) : eigh_(n) {}

  Index size() const { return eigh_.size(); }

  /// A (n, n) symmetric <- V max(Lambda, 0) V', exactly symmetric.
  void project(Matrix& A);

 private:
  enum class Part { all, negative, positive };

  void choose_next(Index negative);

  linalg::EighWorkspace eigh_;
  Part next_ = Part::all;
};

}  // namespace mkc::solvers
