#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "base/cancel.hpp"

namespace mkc {

void detail::run_tasks(Index count, int threads, void (*run)(const void*, Index),
                       const void* task) {
  const Index workers = std::min<Index>(std::max(threads, 1), count);
  if (workers <= 1) {
    for (Index i = 0; i < count; ++i) {
      check_cancelled();
      run(task, i);
    }
    return;
  }
  std::atomic<Index> next{0};
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
  const std::atomic<bool> never = false, *const cancelled = cancel_flag();
  const auto work = [&] {
    const CancelScope scope(cancelled != nullptr ? *cancelled : never);
    for (Index i = next++; i < count; i = next++) {
      try {
        check_cancelled();
        run(task, i);
      } catch (...) {
        errors[at(i)] = std::current_exception();
        next = count;  // no new tasks
      }
    }
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

int threads_for(double operations, int threads) { return operations < 1e6 ? 1 : threads; }

}  // namespace mkc
