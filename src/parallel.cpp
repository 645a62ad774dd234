#include "mkc/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

namespace mkc {

void parallel_for(Index count, int threads, const std::function<void(Index)>& task) {
  const Index workers = std::min<Index>(std::max(threads, 1), count);
  if (workers <= 1) {
    for (Index i = 0; i < count; ++i) task(i);
    return;
  }
  std::atomic<Index> next{0};
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
  const auto work = [&] {
    for (Index i = next++; i < count; i = next++) {
      try {
        task(i);
      } catch (...) {
        errors[static_cast<std::size_t>(i)] = std::current_exception();
        next = count;  // no new tasks
      }
    }
  };
  {
    std::vector<std::jthread> pool;
    for (Index w = 1; w < workers; ++w) pool.emplace_back(work);
    work();
  }
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
}

int threads_for(double operations, int threads) { return operations < 1e6 ? 1 : threads; }

int available_threads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace mkc
