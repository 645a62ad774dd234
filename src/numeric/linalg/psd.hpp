#pragma once

#include "mkc/base/types.hpp"

namespace mkc::linalg {

/// Nearest positive semi-definite matrix in the Frobenius norm: V max(Lambda, 0) V'.
Matrix project_psd(const MatrixRef& A);

/// lambda_min >= -tolerance * lambda_max, decided by one Cholesky factorisation where it can be.
bool is_psd(const MatrixRef& A, double tolerance);

/// max |A - A'|.
double asymmetry(const MatrixRef& A);

}  // namespace mkc::linalg
