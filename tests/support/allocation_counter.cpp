#include "support/allocation_counter.hpp"

#include <cstddef>

namespace {
thread_local long count = 0;
}  // namespace

#ifdef __SANITIZE_ADDRESS__

// AddressSanitizer owns malloc and offers hooks instead.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*,
                                                                  std::size_t),
                                                         void (*)(const volatile void*));

namespace {
const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++count; }, [](const volatile void*) {});
}  // namespace

#else

// glibc's malloc with a counter in front; free stays glibc's own.
extern "C" void* __libc_malloc(std::size_t) noexcept;
extern "C" void* malloc(std::size_t size) noexcept {
  ++count;
  return __libc_malloc(size);
}

#endif

namespace mkc::test {

long allocations() {
  return count;
}

}  // namespace mkc::test
