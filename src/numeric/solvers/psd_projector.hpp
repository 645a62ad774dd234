#pragma once

#include "mkc/base/types.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc::solvers {

/// Which eigenpairs a projection computes.
enum class SpectrumPart { all, negative, positive };

/// Nearest positive semi-definite matrix, for a sequence of matrices of one size that change
/// little: it remembers how the last spectrum was split and computes only the smaller part where
/// that pays. Allocates in the constructor alone.
class PsdProjector {
 public:
  explicit PsdProjector(Index n) : eigh_(n) {}

  Index size() const { return eigh_.size(); }

  /// A (n, n) symmetric <- V max(Lambda, 0) V', exactly symmetric.
  void project(Matrix& A);

  /// What the next projection computes, as the last one suggests; set to go on with another
  /// sequence.
  SpectrumPart next() const { return next_; }
  void set_next(SpectrumPart next) { next_ = next; }

 private:
  void choose_next(Index negative);

  linalg::EighWorkspace eigh_;
  SpectrumPart next_ = SpectrumPart::all;
};

}  // namespace mkc::solvers
