#pragma once

#include <cpp11.hpp>

#include <functional>

#include "mkc/problem/run.hpp"

namespace mkc::r {

/// Does the work on a thread of its own, which must not touch R, while this thread, R's, looks for
/// Ctrl-C and calls `callback` (phase, iteration, iterations at most, share done), which may be
/// NULL. Where it returns FALSE the work is asked to return the best so far. On Ctrl-C and on an
/// error in the callback the work is left unfinished, and R goes on with that.
///
/// BLAS has one thread meanwhile, where it is OpenBLAS: see docs/r.md of the project.
void watched(SEXP callback, const std::function<void(const ProgressCallback&)>& work);

/// The same for work that returns something and has no progress.
template <class Work>
auto watched_result(const Work& work) {
  decltype(work()) result;
  watched(R_NilValue, [&](const ProgressCallback&) { result = work(); });
  return result;
}

}  // namespace mkc::r
