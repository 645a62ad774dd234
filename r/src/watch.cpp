#include "watch.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "mkc/base/cancel.hpp"
#include "values.hpp"

extern "C" {
void openblas_set_num_threads(int) __attribute__((weak));
int openblas_get_num_threads() __attribute__((weak));
}

namespace mkc::r {

namespace {

constexpr std::chrono::milliseconds glance{50};  // how often R's thread looks up

// OpenBLAS changes bits with its number of threads. R's own setting comes back afterwards.
class OneThread {
 public:
  OneThread() {
    if (openblas_set_num_threads == nullptr || openblas_get_num_threads == nullptr) return;
    before_ = openblas_get_num_threads();
    openblas_set_num_threads(1);
  }
  ~OneThread() {
    if (before_ > 0) openblas_set_num_threads(before_);
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_ = 0;
};

// What the two threads share.
struct Running {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::optional<Progress> latest;
  std::atomic<bool> stop = false, cancel = false;
  std::exception_ptr failure;

  bool hear(const Progress& progress) {
    // A method must not wait for its observer.
    if (const std::unique_lock lock(mutex, std::try_to_lock); lock) latest = progress;
    return !stop;
  }

  void run(const std::function<void(const ProgressCallback&)>& work) {
    const CancelScope scope(cancel);
    try {
      work([this](const Progress& progress) { return hear(progress); });
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_one();
  }
};

// Ctrl-C and the callback; what they raise is thrown.
void look(SEXP callback, const std::optional<Progress>& progress, Running& running) {
  cpp11::check_user_interrupt();
  if (!progress || Rf_isNull(callback)) return;
  const cpp11::function call(callback);
  const cpp11::sexp answer = call(to_r(progress->phase), to_r(progress->iteration),
                                  to_r(progress->max_iterations), to_r(progress->share));
  if (Rf_isLogical(answer) && Rf_length(answer) == 1 && LOGICAL(answer)[0] == FALSE)
    running.stop = true;
}

}  // namespace

void watched(SEXP callback, const std::function<void(const ProgressCallback&)>& work) {
  const OneThread one_thread;
  Running running;
  std::thread worker([&] { running.run(work); });
  std::exception_ptr raised;
  {
    std::unique_lock lock(running.mutex);
    const auto is_done = [&] { return running.done; };
    while (!raised && !running.changed.wait_for(lock, glance, is_done)) {
      const std::optional<Progress> progress = std::exchange(running.latest, std::nullopt);
      lock.unlock();
      try {
        look(callback, progress, running);
      } catch (...) {
        raised = std::current_exception();
        running.stop = running.cancel = true;
      }
      lock.lock();
    }
  }
  worker.join();
  if (raised) std::rethrow_exception(raised);
  if (running.failure) std::rethrow_exception(running.failure);
}

}  // namespace mkc::r
