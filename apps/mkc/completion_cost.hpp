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

/// Memory to complete the problem on `threads` threads, including the problem and the result.
double bytes_needed(const Problem& problem, const std::string& method, int threads);

}  // namespace mkc::app
