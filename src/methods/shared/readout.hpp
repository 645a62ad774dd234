#pragma once

#include "methods/shared/reconstruction.hpp"

namespace mkc {

/// The paper's read-out (Eq. app): K^_m = A_m'K_mA_m with A_m (n_m, N) as solved, observed columns
/// included, so that the observed block comes back changed. PSD. `add`: as in DiagonalRule, on
/// the samples the view lacks.
std::vector<Matrix> kernels_as_solved(const Problem& problem, const Weights& weights,
                                      DiagonalRule rule,
                                      const std::optional<Matrix>& relations = {}, int threads = 1);

/// The same with the observed blocks kept, as every completion is in the end (decision 3): what
/// options are compared by.
std::vector<Matrix> with_observed_blocks(const Problem& problem, std::vector<Matrix> kernels);

}  // namespace mkc
