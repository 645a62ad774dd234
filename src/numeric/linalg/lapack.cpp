#include "numeric/linalg/lapack.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

extern "C" {
void openblas_set_num_threads(int) __attribute__((weak));
int openblas_get_parallel() __attribute__((weak));
char* openblas_get_config() __attribute__((weak));
char* openblas_get_corename() __attribute__((weak));
}

namespace mkc::linalg {

namespace {

// OpenBLAS changes bits with its thread count, so it works on one thread, whichever of its flavours
// the system loads. Its serial flavour is not safe to call from several threads: then calls take
// turns (docs/decisions/0002-blas-on-one-thread.md). true = calls must take turns.
const bool take_turns = [] {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  return openblas_get_parallel != nullptr && openblas_get_parallel() == 0;
}();
std::mutex one_call;

}  // namespace

std::unique_lock<std::mutex> turn() {
  return take_turns ? std::unique_lock(one_call) : std::unique_lock<std::mutex>();
}

std::string blas_name() {
  if (openblas_get_config == nullptr || openblas_get_corename == nullptr ||
      openblas_get_parallel == nullptr)
    return "not OpenBLAS";
  std::istringstream config(openblas_get_config());  // "OpenBLAS 0.3.21 NO_LAPACKE ..."
  std::string name, number;
  config >> name >> number;
  const char* flavours[] = {"serial", "pthread", "openmp"};
  return name + " " + number + " " + openblas_get_corename() + ", " +
         flavours[std::clamp(openblas_get_parallel(), 0, 2)];
}

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
