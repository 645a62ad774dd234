#include "numeric/linalg/lapack.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <fstream>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/cancel.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/blas_core.hpp"

extern "C" {
void openblas_set_num_threads(int) __attribute__((weak));
int openblas_get_parallel() __attribute__((weak));
void* blas_memory_alloc(int) __attribute__((weak));
void blas_memory_free(void*) __attribute__((weak));
}

namespace mkc::linalg {

namespace {

// OpenBLAS changes bits with its thread count, so it works on one thread, whichever of its flavours
// the system loads. Its serial flavour is not safe to call from several threads: then calls take
// turns (docs/decisions/0002-blas-on-one-thread.md). With MKC_HOST_BLAS the BLAS is that of a host
// program, R, which uses it too: its number of threads is set around calls of the library.
const bool is_serial = [] {
#ifndef MKC_HOST_BLAS
  take_better_core();
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
#endif
  return openblas_get_parallel != nullptr && openblas_get_parallel() == 0;
}();

// Every call maps a buffer of this size, unless one is left that an earlier call gave back. Where
// the system refuses, OpenBLAS tries again for ever.
constexpr rlim_t buffer_bytes = rlim_t{128} << 20;

/// Lets as many calls run at the same time as there are buffers for, where memory is limited. The
/// buffers are mapped when the program is loaded: later, other threads could take what was left.
class Buffers {
 public:
  Buffers() {
    rlimit limit{};
    const bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (is_limited) {
      is_counted_ = true;
      map_up_to_half(limit.rlim_cur - std::min(limit.rlim_cur, mapped_bytes()));
    } else if (is_serial) {
      is_counted_ = true;
      total_ = free_ = 1;
    }
  }
  void take() {
    if (!is_counted_) return;
    if (total_ == 0)
      throw MemoryError(
          fmt::format("the linear algebra library needs {} MiB of address space, and the limit of "
                      "this process leaves less",
                      2 * buffer_bytes >> 20),
          "raise the limit: 'ulimit -v unlimited', or at least 1000000");
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [&] { return free_ > 0; });
    --free_;
  }
  void give_back() {
    if (!is_counted_) return;
    const std::lock_guard lock(mutex_);
    ++free_;
    freed_.notify_one();
  }

 private:
  static rlim_t mapped_bytes() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  }

  void map_up_to_half(rlim_t left) {
    // Where OpenBLAS does not let others map a buffer, a call does; calls take turns.
    const bool one = is_serial || blas_memory_alloc == nullptr;
    const rlim_t most = one ? 1 : std::max(1u, std::thread::hardware_concurrency());
    total_ = free_ = static_cast<int>(std::min(most, left / 2 / buffer_bytes));
    if (blas_memory_alloc == nullptr) {
      if (total_ > 0) call_once();
      return;
    }
    std::vector<void*> mapped;
    for (int i = 0; i < total_; ++i) mapped.push_back(blas_memory_alloc(1));
    for (void* buffer : mapped) blas_memory_free(buffer);  // back to OpenBLAS, which keeps them
  }

  static void call_once() {
    constexpr int n = 128;  // large enough to need the buffer
    const double one = 1, zero = 0;
    std::vector<double> A(n * n), C(n * n);
    dsyrk_("L", "N", &n, &n, &one, A.data(), &n, &zero, C.data(), &n, 1, 1);
  }

  bool is_counted_ = false;
  int total_ = 0, free_ = 0;
  std::mutex mutex_;
  std::condition_variable freed_;
};

Buffers buffers;

}  // namespace

Turn::Turn() {
  check_cancelled();
  buffers.take();
}
Turn::~Turn() { buffers.give_back(); }

int blas_int(Index n) {
  if (n > std::numeric_limits<int>::max())
    throw std::length_error("matrix dimension above 2^31 - 1");
  return static_cast<int>(n);
}

void check(int info, const char* routine) {
  if (info != 0)
    throw std::runtime_error(std::string(routine) + " failed with info " + std::to_string(info));
}

void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(what);
}

}  // namespace mkc::linalg
