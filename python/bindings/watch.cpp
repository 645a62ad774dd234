#include "watch.hpp"

#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace mkc::python {

namespace {

using namespace std::chrono_literals;
constexpr auto glance = 50ms;  // how often the calling thread looks up

// What the two threads share.
struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::optional<Progress> latest;
  std::atomic<bool> stop = false;

  bool hear(const Progress& progress) {
    // A method must not wait for its observer.
    if (std::unique_lock lock(mutex, std::try_to_lock); lock) latest = progress;
    return !stop;
  }
};

// Ctrl-C and the callback; what they raise is thrown. Needs Python's lock.
void look(const nb::object& callback, const std::optional<Progress>& progress, Shared& shared) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (!progress || callback.is_none()) return;
  const nb::object answer =
      callback(progress->phase, progress->iteration, progress->max_iterations, progress->objective);
  if (answer.is(nb::bool_(false))) shared.stop = true;
}

}  // namespace

void watched(const nb::object& callback, const std::function<void(const ProgressCallback&)>& work) {
  Shared shared;
  std::exception_ptr failure, raised;
  std::thread worker([&] {
    try {
      work([&](const Progress& progress) { return shared.hear(progress); });
    } catch (...) {
      failure = std::current_exception();
    }
    const std::scoped_lock lock(shared.mutex);
    shared.done = true;
    shared.changed.notify_one();
  });
  {
    const nb::gil_scoped_release release;
    std::unique_lock lock(shared.mutex);
    while (!shared.changed.wait_for(lock, glance, [&] { return shared.done; })) {
      const std::optional<Progress> progress = std::exchange(shared.latest, std::nullopt);
      lock.unlock();
      {
        const nb::gil_scoped_acquire acquire;
        try {
          look(callback, progress, shared);
        } catch (...) {
          raised = std::current_exception();
          shared.stop = true;
        }
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (raised) std::rethrow_exception(raised);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mkc::python
