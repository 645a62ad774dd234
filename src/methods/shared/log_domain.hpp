#pragma once

#include <optional>

#include "mkc/base/types.hpp"

/// Kernels k_ij = c exp(-d_ij), d a squared Euclidean distance (every Gaussian kernel): relations
/// between views are simpler between the points behind d than between the kernels.
namespace mkc {

/// The centred Gram matrix -1/2 J D J of D = -log(K / c), c the constant diagonal of K. Nothing
/// where K has an entry <= 0 or no constant diagonal, or where D is not a squared distance: where
/// the negative eigenvalues of -1/2 J D J carry more than 1e-3 of the sum of absolute values.
std::optional<Matrix> log_gram(const MatrixRef& K);

/// exp(-(b_ii + b_jj - 2 b_ij)): positive semi-definite where B is (Schoenberg 1938).
Matrix from_log_gram(const Matrix& B);

}  // namespace mkc
