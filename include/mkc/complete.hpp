#pragma once

#include "mkc/problem.hpp"
#include "mkc/registry.hpp"
#include "mkc/result.hpp"
#include "mkc/run.hpp"

namespace mkc {

/// Completes every view of the problem: the one door to all methods.
///
///   Completion c = complete(problem, "wknn,k=7");
///
/// Whatever the method: observed entries come back bit for bit, every kernel is symmetric and
/// positive semi-definite (where its observed block is not, it is the sum of such a kernel and of
/// what the block lacks to be PSD), and the scale is that of the input.
/// With nothing missing the input is returned, with a notice.
Completion complete(const Problem& problem, const std::string& method, const RunOptions& run = {});

/// The completion of problem.nearest_psd() as one of the problem itself.
Completion with_given_blocks(const Problem& problem, Completion completion, const RunOptions& run);

}  // namespace mkc
