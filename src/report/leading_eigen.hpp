#pragma once

#include <functional>

#include "mkc/base/types.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc::report {

/// Y <- A X with A symmetric (n, n), known by its products alone.
using Operator = std::function<void(const MatrixRef& X, MutableMatrixRef Y)>;

/// Approximately the k largest eigenpairs of a positive semi-definite operator, values descending;
/// fewer where its rank is lower. Subspace iteration with Rayleigh-Ritz values: a few products with
/// k + 16 columns instead of a decomposition in O(n^3). For pictures: the last values of a flat
/// spectrum are slightly too small, never too large. Exact for small n. Starts are keyed by
/// `samples`.
linalg::Eigh leading_eigenpairs(const Operator& A, Index k, const Strings& samples);

/// X -> P K P X with P the projector onto the rows where `kept` is true: the spectrum of a block of
/// K without a copy of it.
Operator block_operator(const Matrix& K, const Eigen::Array<bool, Eigen::Dynamic, 1>& kept);

/// X -> H K H X with H the centring matrix.
Operator centred_operator(const Matrix& K);

}  // namespace mkc::report
