#pragma once

#include "methods/embd/embd.hpp"

namespace mkc {

/// A_II = I, columns of missing samples uniform(-1, 1) / n_m, keyed by seed and the names of the
/// view and the two samples.
Weights identity_start(const Problem& problem, std::uint64_t seed);

/// Algorithm 1's start: entries uniform(-1, 1), keyed by seed, `attempt` and the names of the view
/// and the two samples. A (rows, N): its rows are the samples `rows`.
Matrix uniform_start(const Problem& problem, const std::string& view, const Indices& rows,
                     std::uint64_t seed, Index attempt);

/// Entry by entry uniform(-1, 1) / n, keyed by seed, `attempt` and the names of the view and of the
/// two samples, added to `A`, whose rows and columns are those samples. Attempt 0 adds nothing.
void perturb(const Problem& problem, const std::string& view, const Indices& rows,
             const Indices& columns, std::uint64_t seed, Index attempt, Matrix& A);

/// 0, 1, ..., N - 1
Indices all_samples(const Problem& problem);

}  // namespace mkc
