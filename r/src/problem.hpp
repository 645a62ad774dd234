#pragma once

#include <cpp11.hpp>

#include "mkc/problem/assemble.hpp"

namespace mkc::r {

using ProblemPointer = cpp11::external_pointer<Assembled>;

/// InputError where the pointer is empty: it was stored by an earlier session of R.
const Assembled& problem_of(SEXP pointer);

}  // namespace mkc::r
