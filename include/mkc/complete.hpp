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
/// positive semi-definite (as far as its observed block is), and the scale is that of the input.
/// With nothing missing the input is returned, with a notice.
Completion complete(const Problem& problem, const std::string& method, const RunOptions& run = {});

}  // namespace mkc
