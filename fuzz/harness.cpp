// The libFuzzer program; the variable MKC_FUZZ_FORMAT of the environment names the format.
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "targets.hpp"
#include "worker.hpp"

extern "C" {
// What libFuzzer counts, and its call when a sanitizer ends the process.
extern std::uint8_t __start___sancov_cntrs __attribute__((weak, visibility("hidden")));
extern std::uint8_t __stop___sancov_cntrs __attribute__((weak, visibility("hidden")));
void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

// The HDF5 library may ask for gigabytes: refused, not an error. Inputs are of some kilobytes: what
// one of them freed stays in a quarantine of 16 MiB, and one frame tells where it was allocated
// (ASAN_OPTIONS=malloc_context_size=8 shows more of an input that was kept).
const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=2048:quarantine_size_mb=16:"
         "malloc_context_size=1";
}
}

namespace {

const char* format = nullptr;

// HDF5 files are read in a child process (worker.hpp), whose counters the parent must see. Whole
// pages only.
void share_counters_with_children() {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first =
      (reinterpret_cast<std::uintptr_t>(&__start___sancov_cntrs) + page - 1) / page * page;
  const auto last = reinterpret_cast<std::uintptr_t>(&__stop___sancov_cntrs) / page * page;
  if (last <= first) return;
  auto* begin = reinterpret_cast<std::uint8_t*>(first);
  const std::vector<std::uint8_t> kept(begin, begin + (last - first));
  if (mmap(begin, last - first, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1,
           0) != MAP_FAILED)
    std::memcpy(begin, kept.data(), kept.size());
}

// What the library did before it crashed is no reason to keep the input and try its neighbours:
// they would crash as well, and each needs a new process.
void forget_counters() {
  std::memset(&__start___sancov_cntrs, 0,
              static_cast<std::size_t>(&__stop___sancov_cntrs - &__start___sancov_cntrs));
}

// The exit code of a child shows that a sanitizer ended it; the parent keeps the input.
void forget_death_callback() {
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  format = std::getenv("MKC_FUZZ_FORMAT");
  if (format == nullptr) {
    std::fprintf(stderr, "MKC_FUZZ_FORMAT must name a format: see scripts/fuzz\n");
    std::exit(2);
  }
  mkc::fuzz::prepare();
  share_counters_with_children();
  pthread_atfork(nullptr, nullptr, forget_death_callback);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static mkc::fuzz::Worker worker([](const std::uint8_t* bytes, std::size_t count) {
    return mkc::fuzz::read_as(format, bytes, count);
  });
  if (mkc::fuzz::reaches_hdf5(data, size)) {
    worker.read(data, size);
    if (worker.crashed()) forget_counters();
  } else {
    mkc::fuzz::read_as(format, data, size);
  }
  return 0;
}
