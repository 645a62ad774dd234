#pragma once

#include "mkc/problem/result.hpp"
#include "mkc/problem/run.hpp"

namespace mkc {

/// After a step: whether the iteration ends, because its residual is at most `tolerance` or because
/// the caller asks to stop. Sets info.status accordingly.
inline bool ends(Info& info, double tolerance, const ProgressCallback& progress, Progress now) {
  now.residual = info.residual;
  now.tolerance = tolerance;
  now.has_result = true;
  if (info.residual <= tolerance)
    info.status = Status::converged;
  else if (progress && !progress(now))
    info.status = Status::interrupted;
  else
    return false;
  return true;
}

}  // namespace mkc
