#pragma once

#include "mkc/base/error.hpp"

namespace mkc::io {

/// The place that `make` makes for the output of a step; none where the step is done. Another
/// process may end the same step between a look and the making, which then finds that the output
/// exists: one more look tells whose it is.
template <class IsDone, class Make>
auto place_of_step(bool force, const IsDone& is_done, const Make& make) -> decltype(make()) {
  if (force) return make();
  if (is_done()) return {};
  try {
    return make();
  } catch (const OptionError&) {
    if (!is_done()) throw;
    return {};
  }
}

}  // namespace mkc::io
