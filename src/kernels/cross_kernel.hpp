#pragma once

#include "mkc/kernels/kernel_options.hpp"

namespace mkc {

/// k(a_i, b_j) of prepared points A (a, d) and B (b, d), (a, b). Options are settled, gamma is a
/// number; latent rows of lsk meet in their cosine. Linear, rbf, poly and cosine by one product.
Matrix cross_kernel(const MatrixRef& A, const MatrixRef& B, const KernelOptions& options);

/// k(a_i, a_i) of prepared points, (a).
Vector kernel_diagonal(const MatrixRef& A, const KernelOptions& options);

/// Rows scaled to length 1; a row of zeros stays.
Matrix unit_rows(Matrix A);

/// The share of equal words of every pair of rows, (a, b).
Matrix equal_words(const MatrixRef& A, const MatrixRef& B);

}  // namespace mkc
