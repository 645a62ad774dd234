#include "watch.hpp"

#include <nanobind/stl/string.h>

#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "mkc/base/cancel.hpp"
#include "mkc/base/error.hpp"

namespace mkc::python {

namespace {

using namespace std::chrono_literals;
constexpr auto glance = 50ms;     // how often the calling thread looks up
constexpr auto patience = 200ms;  // with work that is cancelled, before it is left behind

// What the two threads share.
struct Running {
  Job job;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false, left_behind = false;
  std::optional<Progress> latest;
  std::atomic<bool> stop = false, cancel = false;
  std::exception_ptr failure;

  bool hear(const Progress& progress) {
    // A method must not wait for its observer.
    if (std::unique_lock lock(mutex, std::try_to_lock); lock) latest = progress;
    return !stop;
  }
  void run() {
    const CancelScope scope(cancel);
    try {
      job.work([&](const Progress& progress) { return hear(progress); });
    } catch (...) {
      failure = std::current_exception();
    }
  }
};

// Work that was left behind. What it used belongs to Python, so it is freed by a thread that has
// Python's lock.
struct LeftBehind {
  std::mutex mutex;
  int at_work = 0;
  std::vector<std::shared_ptr<Running>> ended;
};

LeftBehind& left_behind() {
  static auto* const all = new LeftBehind;  // outlives every thread
  return *all;
}

// The threads may be inside BLAS, whose memory is freed at exit.
void leave_at_exit(int status, void*) {
  {
    const std::lock_guard lock(left_behind().mutex);
    if (left_behind().at_work == 0) return;
  }
  std::fflush(nullptr);
  _exit(status);
}

void leave(Running& running) {
  running.left_behind = true;
  const std::lock_guard lock(left_behind().mutex);
  if (left_behind().at_work++ == 0) on_exit(leave_at_exit, nullptr);
}

void free_ended() {
  std::vector<std::shared_ptr<Running>> ended;
  const std::lock_guard lock(left_behind().mutex);
  ended.swap(left_behind().ended);
}

void run_on_thread(std::shared_ptr<Running> running) {
  running->run();
  const std::scoped_lock lock(running->mutex);
  running->done = true;
  running->changed.notify_one();
  if (!running->left_behind) return;
  const std::lock_guard all(left_behind().mutex);
  --left_behind().at_work;
  left_behind().ended.push_back(running);
}

// Ctrl-C and the callback; what they raise is thrown. Needs Python's lock.
void look(const nb::object& callback, const std::optional<Progress>& progress, Running& running) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (running.job.cancelled && *running.job.cancelled)
    throw InterruptedError("the work was cancelled");
  if (!progress || callback.is_none()) return;
  const nb::object answer =
      callback(progress->phase, progress->iteration, progress->max_iterations, progress->objective);
  if (answer.is(nb::bool_(false))) running.stop = true;
}

}  // namespace

void watched(const nb::object& callback, Job job) {
  free_ended();
  const auto running = std::make_shared<Running>();
  running->job = std::move(job);
  std::thread worker(run_on_thread, running);
  std::exception_ptr raised;
  {
    const nb::gil_scoped_release release;
    std::unique_lock lock(running->mutex);
    const auto is_done = [&] { return running->done; };
    while (!raised && !running->changed.wait_for(lock, glance, is_done)) {
      const std::optional<Progress> progress = std::exchange(running->latest, std::nullopt);
      lock.unlock();
      {
        const nb::gil_scoped_acquire acquire;
        try {
          look(callback, progress, *running);
        } catch (...) {
          raised = std::current_exception();
          running->stop = running->cancel = true;
        }
      }
      lock.lock();
    }
    if (!running->changed.wait_for(lock, patience, is_done)) leave(*running);
    lock.unlock();
    if (running->left_behind)
      worker.detach();
    else
      worker.join();
  }
  if (raised) std::rethrow_exception(raised);
  if (running->failure) std::rethrow_exception(running->failure);
}

}  // namespace mkc::python
