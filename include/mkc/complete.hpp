#pragma once

#include "mkc/problem/problem.hpp"
#include "mkc/problem/result.hpp"
#include "mkc/problem/run.hpp"

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

/// complete() with one method, and error estimates for its completed rows from hidden ones; costs
/// some more runs of the method. `auto` has them in any case.
Completion complete_with_quality(const Problem& problem, const std::string& method,
                                 const RunOptions& run = {});

}  // namespace mkc
