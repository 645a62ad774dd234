#pragma once

#include "mkc/problem/problem.hpp"

namespace mkc::bench {

/// What a benchmark works on, from one word of its command line:
///   synthetic:N:M           M Gaussian kernels of one state, 30 % of the (sample, view) pairs
///   hidden synthetic:N:M:complete  the same with nothing of the first view hidden FILE.npz one
///   kernel per array, rows and columns of missing samples NaN
Problem problem_of(const std::string& text);

}  // namespace mkc::bench
