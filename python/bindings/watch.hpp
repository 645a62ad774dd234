#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "mkc/problem/run.hpp"

namespace mkc::python {

namespace nb = nanobind;

/// Work on a thread of its own.
struct Job {
  /// Given the callback for the library. Owns what it uses: it may be left behind.
  std::function<void(const ProgressCallback&)> work;
  /// Kept alive as long as the work, which may refer to them.
  std::vector<nb::object> used;
  /// Where given: leaves the work behind once it is true.
  std::shared_ptr<const std::atomic<bool>> cancelled;
};

/// Runs the job without Python's lock, while the calling thread looks for Ctrl-C and passes
/// progress on: callback(phase, iteration, max_iterations, objective), which may return False to
/// stop (best result so far) or raise. Whatever the work throws is thrown again here. Where Ctrl-C
/// or the callback raises, the work is cancelled and left behind: it ends before its next call of
/// BLAS.
void watched(const nb::object& callback, Job job);

/// The same without progress, for a result.
template <class Work>
auto watched_result(Work work, std::vector<nb::object> used = {}) {
  auto result = std::make_shared<std::optional<decltype(work())>>();
  watched(nb::none(),
          {[result, work = std::move(work)](const ProgressCallback&) mutable { *result = work(); },
           std::move(used),
           {}});
  return std::move(**result);
}

/// The Python object of a value that Python owns.
template <class T>
nb::object owner_of(const T& value) {
  return nb::borrow(nb::find(value));
}

}  // namespace mkc::python
