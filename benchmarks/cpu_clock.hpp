#pragma once

#include <ctime>

namespace mkc::bench {

/// Seconds this thread has worked since the clock was made: others on the machine do not change it.
class CpuClock {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double start_ = now();
};

}  // namespace mkc::bench
