#include "base/parallel.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace mkc {
namespace {

TEST(Parallel, WorksOnOneThreadWhereNoOtherCanStart) {
  pthread_attr_t usual, impossible;
  pthread_getattr_default_np(&usual);
  pthread_attr_init(&impossible);
  pthread_attr_setstacksize(&impossible, std::size_t{1} << 46);
  ASSERT_EQ(pthread_setattr_default_np(&impossible), 0);
  std::atomic<int> done = 0;
  EXPECT_NO_THROW(parallel_for(8, 4, [&](Index) { ++done; }));
  pthread_setattr_default_np(&usual);
  pthread_attr_destroy(&impossible);
  EXPECT_EQ(done, 8);
}

TEST(Parallel, NestedLoopsUseTheThreadsOfTheOutermostAndNoMore) {
  constexpr int threads = 3;
  std::atomic<int> running = 0, most = 0, inner_most = 0, done = 0;
  const auto busy = [&](std::atomic<int>& highest) {
    const int now = ++running;
    for (int seen = highest; seen < now && !highest.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ++done;
    --running;
  };
  // One long task beside two short ones: its inner loop gets their threads.
  parallel_for(3, threads, [&](Index i) {
    if (i > 0) return busy(most);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (int round = 0; round < 5; ++round)
      parallel_for(6, threads,
                   [&](Index) { parallel_for(2, threads, [&](Index) { busy(inner_most); }); });
  });
  EXPECT_EQ(done, 2 + 5 * 6 * 2);
  EXPECT_LE(most, threads);
  EXPECT_LE(inner_most, threads);
  EXPECT_GT(inner_most, 1);
}

TEST(Parallel, TheExceptionOfTheLowestIndexComesOutOfNestedLoops) {
  try {
    parallel_for(2, 2, [&](Index i) {
      parallel_for(4, 2, [&](Index j) {
        if (j >= 2) throw std::runtime_error(std::to_string(10 * i + j));
      });
    });
    ADD_FAILURE() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 1), "2");
  }
}

}  // namespace
}  // namespace mkc
