#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// Calls task(0) ... task(count - 1), on up to `threads` threads. Tasks must not depend on one
/// another; which thread runs a task never shows in the result. The exception of the lowest index
/// that threw is rethrown after all threads have ended. A parallel_for inside a task uses the
/// threads of the outermost one that have nothing to do: nested loops never run on more threads.
/// On one thread nothing is allocated.
template <class Task>
void parallel_for(Index count, int threads, const Task& task);

/// `threads` where one task of about `operations` floating point operations is worth a thread of
/// its own, else 1: starting a thread costs some ten microseconds.
int threads_for(double operations, int threads);

namespace detail {
void run_tasks(Index count, int threads, void (*run)(const void* task, Index i), const void* task);
}

template <class Task>
void parallel_for(Index count, int threads, const Task& task) {
  detail::run_tasks(
      count, threads, [](const void* what, Index i) { (*static_cast<const Task*>(what))(i); },
      &task);
}

}  // namespace mkc
