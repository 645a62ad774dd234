#pragma once

#include <string>

#include "mkc/base/options.hpp"
#include "mkc/problem/problem.hpp"

namespace mkc::app {

/// The method of `mkc complete` where none is named.
constexpr const char* default_method = "auto";

/// NAME[,option=value,...] as a user writes it. OptionError for a method or an option that does not
/// exist, a value out of range, an option given twice: told before anything is read.
Spec checked_method(const std::string& text);

/// Memory that completing the problem on `threads` threads takes, the problem and the result
/// included.
double bytes_needed(const Problem& problem, const std::string& method, int threads);

}  // namespace mkc::app
