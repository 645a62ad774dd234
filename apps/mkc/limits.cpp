// Limits of the process (ulimit) that OpenBLAS does not survive.
#include <sys/resource.h>
#include <unistd.h>

#include <climits>
#include <string>
#include <vector>

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;  // their run-time library is not ready so early
#elif defined(__has_feature)
constexpr bool is_sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool is_sanitized = false;
#endif

// Systems allow tens of thousands; a lower number was set to be noticed.
constexpr rlim_t few_processes = 4096;

bool below(int resource, rlim_t enough) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur < enough;
}

// While it is loaded, OpenBLAS starts a thread for every core and maps 128 MiB for each. If it may
// not, it ends the process (threads) or tries again for ever (memory). It reads the number of
// threads from the environment, so the tool starts itself again with one: more are never used.
// This runs before the libraries start.
void start_again_with_one_blas_thread(int, char** arguments, char** variables) {
  if (is_sanitized || (!below(RLIMIT_AS, RLIM_INFINITY) && !below(RLIMIT_NPROC, few_processes)))
    return;
  const std::string name = "OPENBLAS_NUM_THREADS=";
  std::string one = name + "1";
  std::vector<char*> changed{one.data()};
  for (char** variable = variables; *variable != nullptr; ++variable) {
    if (*variable == one) return;
    if (!std::string(*variable).starts_with(name)) changed.push_back(*variable);
  }
  changed.push_back(nullptr);
  std::string path(PATH_MAX, '\0');
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
  if (length <= 0) return;
  path.resize(static_cast<std::size_t>(length));
  execve(path.c_str(), arguments, changed.data());  // returns where it fails: go on as we are
}

[[gnu::section(".preinit_array"),
  gnu::used]] void (*const before_libraries)(int, char**,
                                             char**) = start_again_with_one_blas_thread;

}  // namespace
