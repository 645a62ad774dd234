#pragma once

#include <optional>

#include "mkc/base/types.hpp"

/// Kernels k_ij = c exp(-d_ij), d a squared Euclidean distance (every Gaussian kernel): relations
/// between views are simpler between the points behind d than between the kernels.
namespace mkc {

/// The centred Gram matrix J K J.
Matrix kernel_gram(const MatrixRef& K);

/// The centred Gram matrix -J D J / 2 of D_ij = -log(k_ij / sqrt(k_ii k_jj)). nullopt where an
/// entry has no logarithm; D is a squared Euclidean distance where no eigenvalue is negative.
std::optional<Matrix> log_gram(const MatrixRef& K);

/// log_gram(K) where the diagonal of K is constant and D a squared distance, up to negative
/// eigenvalues that carry at most 1e-3 of the sum of absolute values; else nullopt.
std::optional<Matrix> euclidean_log_gram(const MatrixRef& K);

/// exp(-(b_ii + b_jj - 2 b_ij)): positive semi-definite where B is (Schoenberg 1938).
Matrix from_log_gram(const Matrix& B);

}  // namespace mkc
