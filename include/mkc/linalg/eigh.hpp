#pragma once

#include "mkc/types.hpp"

namespace mkc::linalg {

/// A = V diag(values) V', values ascending.
struct Eigh {
  Vector values;   // (k)
  Matrix vectors;  // (n, k)
};

/// All eigenpairs of a symmetric matrix; the lower triangle is read.
Eigh eigh(const MatrixRef& A);

/// The k largest eigenpairs, values ascending.
Eigh eigh_largest(const MatrixRef& A, Index k);

/// The eigenpairs with low < value <= high.
Eigh eigh_between(const MatrixRef& A, double low, double high);

/// Eigenvalues alone, ascending.
Vector eigenvalues(const MatrixRef& A);

}  // namespace mkc::linalg
