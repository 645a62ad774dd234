#include "base/parallel.hpp"

#include <pthread.h>

#include <atomic>

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

}  // namespace
}  // namespace mkc
