#include "support/allocation_counter.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>

#include <link.h>

namespace {

thread_local long count = 0;
thread_local std::size_t largest = 0;
// Below zero where memory is freed that was not counted, such as that of calloc before main().
std::atomic<long> live = 0, peak = 0;

void note_allocation(std::size_t size) {
  ++count;
  if (size > largest) largest = size;
  const long now = live.fetch_add(static_cast<long>(size)) + static_cast<long>(size);
  long seen = peak.load();
  while (now > seen && !peak.compare_exchange_weak(seen, now)) {
  }
}

void note_release(std::size_t size) { live.fetch_sub(static_cast<long>(size)); }

// Where the code of BLAS lies. What it takes for itself is its own affair: OpenBLAS has small
// buffers from malloc on processors with AVX-512, and none on others.
struct AddressRange {
  std::uintptr_t begin = 0, end = 0;

  bool holds(const void* address) const {
    const auto here = reinterpret_cast<std::uintptr_t>(address);
    return begin <= here && here < end;
  }
};

int find_blas(dl_phdr_info* library, std::size_t, void* found) {
  if (library->dlpi_name == nullptr || std::strstr(library->dlpi_name, "blas") == nullptr) return 0;
  auto& range = *static_cast<AddressRange*>(found);
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const auto& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    range.begin = library->dlpi_addr + segment.p_vaddr;
    range.end = range.begin + segment.p_memsz;
  }
  return 1;
}

const AddressRange blas = [] {
  AddressRange range;
  dl_iterate_phdr(find_blas, &range);
  return range;
}();

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

#include <execinfo.h>

// Sanitizers own malloc and offer hooks instead, some frames below whoever called.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*,
                                                                  std::size_t),
                                                         void (*)(const volatile void*));
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void*);

namespace {

bool called_by_blas() {
  thread_local bool looking = false;  // backtrace() allocates when it is first called
  if (looking || blas.begin == 0) return false;
  looking = true;
  void* frames[16];
  const int depth = backtrace(frames, 16);
  looking = false;
  for (int i = 0; i < depth; ++i)
    if (blas.holds(frames[i])) return true;
  return false;
}

const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t size) {
      if (!called_by_blas()) note_allocation(size);
    },
    [](const volatile void* what) {
      if (what != nullptr && !called_by_blas()) note_release(__sanitizer_get_allocated_size(what));
    });

}  // namespace

#else

#include <malloc.h>

// glibc's malloc, calloc (what compilers make of malloc and zeros), realloc and free with counters
// in between. Aligned allocation stays glibc's own: Eigen and the standard library do without it
// here.
extern "C" void* __libc_malloc(std::size_t) noexcept;
extern "C" void* __libc_calloc(std::size_t, std::size_t) noexcept;
extern "C" void* __libc_realloc(void*, std::size_t) noexcept;
extern "C" void __libc_free(void*) noexcept;
extern "C" void* malloc(std::size_t size) noexcept {
  void* what = __libc_malloc(size);
  if (what != nullptr && !blas.holds(__builtin_return_address(0)))
    note_allocation(malloc_usable_size(what));
  return what;
}
extern "C" void* calloc(std::size_t n, std::size_t size) noexcept {
  void* what = __libc_calloc(n, size);
  if (what != nullptr && !blas.holds(__builtin_return_address(0)))
    note_allocation(malloc_usable_size(what));
  return what;
}
extern "C" void* realloc(void* old, std::size_t size) noexcept {
  const std::size_t before = old != nullptr ? malloc_usable_size(old) : 0;
  void* what = __libc_realloc(old, size);
  if (what != nullptr || size == 0) note_release(before);
  if (what != nullptr) note_allocation(malloc_usable_size(what));
  return what;
}
extern "C" void free(void* what) noexcept {
  if (what != nullptr && !blas.holds(__builtin_return_address(0)))
    note_release(malloc_usable_size(what));
  __libc_free(what);
}

#endif

namespace mkc::test {

long allocations() { return count; }

void reset_largest_allocation() { largest = 0; }

std::size_t largest_allocation() { return largest; }

long live_bytes() { return live; }

void reset_peak_bytes() { peak = live.load(); }

long peak_bytes() { return peak; }

}  // namespace mkc::test
