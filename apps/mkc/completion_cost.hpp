#pragma once

#include <string>

#include "mkc/base/options.hpp"
#include "mkc/problem/problem.hpp"

namespace mkc::app {

/// The method of `mkc complete` if none is given.
constexpr const char* default_method = "auto";

/// Parses NAME[,option=value,...]. OptionError for an unknown method or option, a value out of
/// range or an option given twice.
Spec checked_method(const std::string& text);

/// What decides how much memory a completion takes.
struct RunSize {
  Index n_samples = 0, n_views = 0;
  double kernel_bytes = 0;  // of the observed kernels
};
RunSize size_of(const Problem& problem);

/// Peak memory of a process that completes such kernels on `threads` threads: its own, the kernels,
/// the work and the result. Within a factor of 1.5 (docs/reference/memory.md).
/// `quality`: with errors estimated for every completed row, as `auto` always does.
double bytes_needed(const RunSize& size, const std::string& method, int threads,
                    bool quality = false);

}  // namespace mkc::app
