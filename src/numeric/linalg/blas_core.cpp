#include "numeric/linalg/blas_core.hpp"

#include <link.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "numeric/linalg/blas.hpp"

extern "C" {
char* openblas_get_config() __attribute__((weak));
char* openblas_get_corename() __attribute__((weak));
int openblas_get_parallel() __attribute__((weak));
void gotoblas_dynamic_quit() __attribute__((weak));
void gotoblas_dynamic_init() __attribute__((weak));
}

namespace mkc::linalg {

namespace {

constexpr const char* variable = "OPENBLAS_CORETYPE";  // OpenBLAS's own

// Those without AVX2. A name that is missing here, such as that of a later OpenBLAS, is left alone.
constexpr std::array old_cores{"Katmai",       "Coppermine", "Northwood", "Prescott",   "Banias",
                               "Atom",         "Core2",      "Penryn",    "Dunnington", "Nehalem",
                               "Sandybridge",  "Nano",       "Athlon",    "Opteron",    "Barcelona",
                               "Opteron_SSE3", "Bobcat"};

struct Search {
  std::uintptr_t address;
  int object = -1;  // that holds the address
  int seen = 0;
};

int compare_segments(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    const auto begin = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && begin <= search.address &&
        search.address < begin + segment.p_memsz)
      search.object = search.seen;
  }
  ++search.seen;
  return search.object >= 0 ? 1 : 0;
}

// The place of the program or library that holds the address, in the order of loading.
template <class Function>
int loaded_as(Function* function) {
  Search search{reinterpret_cast<std::uintptr_t>(function)};
  dl_iterate_phdr(compare_segments, &search);
  return search.object;
}

// What is loaded because of another library comes after it.
bool came_with_this_library() {
  return loaded_as(take_better_core) <= loaded_as(openblas_get_corename);
}

bool is_users_choice() {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

CpuFeatures cpu_features() {
#if defined(__x86_64__)
  __builtin_cpu_init();  // this may run before the constructors
  return {__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
          __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
              __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl")};
#else
  return {};
#endif
}

std::string_view better_core(std::string_view chosen, CpuFeatures cpu) {
  if (std::ranges::find(old_cores, chosen) == old_cores.end()) return "";
  if (cpu.avx2 && cpu.avx512) return "SkylakeX";
  return cpu.avx2 ? "Haswell" : "";
}

std::string_view core_in_use() {
  return openblas_get_corename == nullptr ? "" : openblas_get_corename();
}

bool use_core(std::string_view core) {
  if (gotoblas_dynamic_quit == nullptr || gotoblas_dynamic_init == nullptr) return false;
  const char* given = std::getenv(variable);
  const std::string before = given == nullptr ? "" : given;
  setenv(variable, std::string(core).c_str(), 1);
  gotoblas_dynamic_quit();  // forgets the core; the next line reads the variable
  gotoblas_dynamic_init();
  if (given == nullptr) {
    unsetenv(variable);
  } else {
    setenv(variable, before.c_str(), 1);
  }
  return core_in_use() == core;
}

void take_better_core() {
  const std::string_view core = better_core(core_in_use(), cpu_features());
  if (!core.empty() && !is_users_choice() && came_with_this_library()) use_core(core);
}

std::string blas_name() {
  if (openblas_get_config == nullptr || openblas_get_corename == nullptr ||
      openblas_get_parallel == nullptr)
    return "not OpenBLAS";
  std::istringstream config(openblas_get_config());  // "OpenBLAS 0.3.21 NO_LAPACKE ..."
  std::string name, number;
  config >> name >> number;
  const char* flavours[] = {"serial", "pthread", "openmp"};
  return fmt::format("{} {} {}, {}", name, number, core_in_use(),
                     flavours[std::clamp(openblas_get_parallel(), 0, 2)]);
}

std::string blas_advice() {
  const std::string_view core = core_in_use(), better = better_core(core, cpu_features());
  if (better.empty()) return "";
  return fmt::format(
      "BLAS is slow: OpenBLAS uses its code for {} although this processor has {}, which makes "
      "products of matrices about three times faster. {}",
      core, better == "SkylakeX" ? "AVX-512" : "AVX2",
      is_users_choice() ? fmt::format("Unset {0}, or set {0}={1}", variable, better)
                        : fmt::format("Set {}={} before the program starts", variable, better));
}

}  // namespace mkc::linalg
