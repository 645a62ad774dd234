#pragma once

#include "mkc/methods/method.hpp"

namespace mkc {

/// Runs one method on a problem with all that complete() promises: transforms applied and undone,
/// observed entries kept bit for bit, symmetric and PSD kernels, finite numbers.
Completion run_method(const Method& method, const OptionValues& options, const Problem& problem,
                      const RunOptions& run);

/// The completion of problem.nearest_psd() as one of the problem itself.
Completion with_given_blocks(const Problem& problem, Completion completion, const RunOptions& run);

}  // namespace mkc
