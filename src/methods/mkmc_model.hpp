#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// What the common matrix C of `mkmc` may be.
enum class CommonKind {
  full,  // any positive definite matrix
  pca,   // W W' + s I, W (N, q)
  fa,    // W W' + diag(psi)
};

/// The common matrix with the smallest log det C + tr(C^-1 S): S itself (full), in closed form
/// (pca: the q leading eigenvectors U of S with eigenvalues L, s the mean of the others, C = U (L -
/// s) U' + s I), or one step of EM for factor analysis, which lowers it:
///
///   B = W'C^-1,  W <- S B' (I - B W + B S B')^-1,  psi <- diag(S - W B S).
class CommonModel {
 public:
  /// `rank` 0: the number of eigenvalues of the first S above their mean.
  CommonModel(CommonKind kind, Index rank) : kind_(kind), rank_(rank) {}

  Matrix fit(const Matrix& S);
  Index rank() const { return rank_; }

 private:
  Matrix fit_pca(const Matrix& S);
  Matrix fit_fa(const Matrix& S);

  CommonKind kind_;
  Index rank_;
  Matrix W_;    // (N, q)
  Vector psi_;  // (N)
};

}  // namespace mkc
