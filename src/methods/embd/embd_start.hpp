#pragma once

#include "methods/embd/embd.hpp"

namespace mkc {

/// Algorithm 1's start: A_II = I, columns of missing samples uniform(-1, 1) / n_m, keyed by seed
/// and the names of the view and the two samples.
Weights identity_start(const Problem& problem, std::uint64_t seed);

/// Entry by entry uniform(-1, 1) / n, keyed by seed, `attempt` and the names of the view and of the
/// two samples, added to `A`, whose rows and columns are those samples. Attempt 0 adds nothing.
void perturb(const Problem& problem, const std::string& view, const Indices& rows,
             const Indices& columns, std::uint64_t seed, Index attempt, Matrix& A);

/// 0, 1, ..., N - 1
Indices all_samples(const Problem& problem);

}  // namespace mkc
