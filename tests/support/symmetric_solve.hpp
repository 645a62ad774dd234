#pragma once

#include "mkc/base/types.hpp"

namespace mkc::test {

/// The solution of least norm of A X = B for a symmetric A, singular or not, from its eigenvalues.
Matrix symmetric_solve(const MatrixRef& A, const Matrix& B);

}  // namespace mkc::test
