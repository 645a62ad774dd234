#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// d_ij = ||x_i - x_j||^2 over the rows of X. Exactly symmetric; equal rows are exactly 0 apart.
Matrix squared_distances(const MatrixRef& X);  // X (n, d) -> (n, n)

/// d_ij = ||x_i - x_j||_1 over the rows of X. Exactly symmetric; equal rows are exactly 0 apart.
Matrix absolute_distances(const MatrixRef& X);  // X (n, d) -> (n, n)

/// Median of d_ij over the pairs i < j (mean of the middle two where their number is even);
/// 0 where there is no pair. The lower triangle is read.
double median_squared_distance(const MatrixRef& D);  // D (n, n)

/// Width of exp(-gamma d_ij): 1 / median of d_ij over i < j. Where the median is 0, 1 / mean of the
/// non-zero d_ij; where all are 0, gamma = 1. The lower triangle is read.
double median_gamma(const MatrixRef& D);  // D (n, n)

/// 1 / (d var(X)) with the variance over all n d entries (scikit-learn's `scale`); 1 where it is 0.
double scale_gamma(const MatrixRef& X);  // X (n, d)

}  // namespace mkc
