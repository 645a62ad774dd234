#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// Relations between views, in the set of the paper's Eq. convhul-k: s_mm = 0, s_ml >= 0 and every
/// row sums to 1. Row m holds the weights of the other views that come closest to view m,
///
///   min over s_m of ||x_m - sum_{l != m} s_ml x_l||^2,
///
/// which needs the Gram matrix g_kl = <x_k, x_l> of whatever represents the views alone.
/// With a ridge, ridge ||s_m||^2 is added, which makes the weights more even.
Vector relations_of_view(const MatrixRef& gram, Index m, double ridge = 0);  // (M), entry m is 0

/// 1/(M - 1) off the diagonal: where Algorithms 1 and 2 of the paper start.
Matrix equal_relations(Index n_views);

/// <X_k, X_l> of matrices of one size, exactly symmetric.
Matrix gram_of_matrices(const std::vector<Matrix>& X);

}  // namespace mkc
