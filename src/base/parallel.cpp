#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/cancel.hpp"

namespace mkc {

namespace {

// Of the outermost parallel_for that this thread works for: how many of its threads have nothing to
// do. Loops inside its tasks borrow these and start no others, so that nested loops never run more
// threads than the outermost was given.
thread_local std::atomic<int>* idle_threads = nullptr;

// Up to `wanted` idle threads, given back in the end.
class Borrowed {
 public:
  Borrowed(std::atomic<int>& idle, int wanted) : idle_(idle) {
    int there = idle_;
    while (there > 0 && wanted > 0) {
      const int taken = std::min(there, wanted);
      if (!idle_.compare_exchange_weak(there, there - taken)) continue;
      count_ = taken;
      return;
    }
  }
  ~Borrowed() { idle_ += count_; }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;

  int count() const { return count_; }

 private:
  std::atomic<int>& idle_;
  int count_ = 0;
};

void run_alone(Index count, void (*run)(const void*, Index), const void* task) {
  for (Index i = 0; i < count; ++i) {
    check_cancelled();
    run(task, i);
  }
}

// The tasks on `workers` threads, this one included. One that finds no more of them counts as idle
// where `gives_back`.
void run_together(Index count, Index workers, std::atomic<int>& idle, bool gives_back,
                  void (*run)(const void*, Index), const void* task) {
  std::atomic<Index> next{0};
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
  const std::atomic<bool> never = false, *const cancelled = cancel_flag();
  const auto work = [&] {
    const CancelScope scope(cancelled != nullptr ? *cancelled : never);
    std::atomic<int>* const before = std::exchange(idle_threads, &idle);
    for (Index i = next++; i < count; i = next++) {
      try {
        check_cancelled();
        run(task, i);
      } catch (...) {
        errors[at(i)] = std::current_exception();
        next = count;  // no new tasks
      }
    }
    idle_threads = before;
    if (gives_back) ++idle;
  };
  {
    std::vector<std::jthread> pool;
    try {
      for (Index w = 1; w < workers; ++w) pool.emplace_back(work);
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
      // No more threads are allowed (ulimit -u): those that started, and this one, do the work.
    }
    work();
  }
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace

void detail::run_tasks(Index count, int threads, void (*run)(const void*, Index),
                       const void* task) {
  const Index wanted = std::min<Index>(std::max(threads, 1), count);
  if (wanted <= 1) {
    run_alone(count, run, task);
  } else if (idle_threads == nullptr) {
    std::atomic<int> idle = threads - static_cast<int>(wanted);
    run_together(count, wanted, idle, true, run, task);
  } else {
    const Borrowed borrowed(*idle_threads, static_cast<int>(wanted) - 1);
    if (borrowed.count() == 0)
      run_alone(count, run, task);
    else
      run_together(count, 1 + borrowed.count(), *idle_threads, false, run, task);
  }
}

int threads_for(double operations, int threads) { return operations < 1e6 ? 1 : threads; }

}  // namespace mkc
