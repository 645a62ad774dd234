#pragma once

#include <string>

#include "mkc/problem.hpp"

namespace mkc::app {

/// The method of `mkc complete` where none is named.
constexpr const char* default_method = "auto";

/// Memory that completing the problem on `threads` threads takes, the problem and the result
/// included.
double bytes_needed(const Problem& problem, const std::string& method, int threads);

}  // namespace mkc::app
