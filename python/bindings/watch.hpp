#pragma once

#include <nanobind/nanobind.h>

#include <functional>

#include "mkc/problem/run.hpp"

namespace mkc::python {

namespace nb = nanobind;

/// Runs `work` on a thread of its own, without Python's lock, while the calling thread looks for
/// Ctrl-C and passes progress on: callback(phase, iteration, max_iterations, objective), which may
/// return False to stop (best result so far) or raise. `work` is given the callback for the
/// library. Whatever `work` throws is thrown again here; Ctrl-C becomes KeyboardInterrupt once the
/// method has noticed.
void watched(const nb::object& callback, const std::function<void(const ProgressCallback&)>& work);

}  // namespace mkc::python
