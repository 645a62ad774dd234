// One completion, as a program of its own so that its peak of memory is its own.
//   solve PROBLEM METHOD THREADS [REPEATS]      prints one JSON line; the shortest of the repeats
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>

#include "base/stopwatch.hpp"
#include "json_line.hpp"
#include "mkc/complete.hpp"
#include "numeric/linalg/blas.hpp"
#include "problems.hpp"

namespace {

using namespace mkc;  // NOLINT: a benchmark file

// "VmRSS": memory in use, "VmHWM": its peak. In bytes; 0 where the system does not report it.
double memory(const std::string& field) {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0;
  while (status >> word)
    if (word == field + ":") status >> kilobytes;
  return 1024 * kilobytes;
}

// From now on VmHWM is the peak since now: reading the problem does not count.
void forget_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;
}

// Changes with any bit of any kernel (FNV-1a over 64-bit words).
std::string fingerprint(const std::vector<Matrix>& kernels) {
  std::uint64_t hash = 14695981039346656037u;
  for (const auto& K : kernels)
    for (const double value : K.reshaped())
      hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 1099511628211u;
  return std::to_string(hash);
}

bench::JsonLine run(const std::string& where, const std::string& method, int threads, int repeats) {
  const Matrix warm = Matrix::Ones(400, 400);  // BLAS takes its buffers once
  linalg::multiply(warm, warm);
  const double before = memory("VmRSS");
  const Problem problem = bench::problem_of(where);
  forget_peak();
  RunOptions options;
  options.threads = threads;
  bench::JsonLine line;
  double best = 1e300, best_cpu = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const Stopwatch clock;
    const std::clock_t cpu = std::clock();  // of all threads together
    const Completion completion = complete(problem, method, options);
    best = std::min(best, clock.seconds());
    best_cpu = std::min(best_cpu, static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
    line = bench::JsonLine();
    line.add("method", method)
        .add("n", static_cast<double>(problem.n_samples()))
        .add("m", static_cast<double>(problem.n_views()))
        .add("threads", threads)
        .add("status", status_name(completion.info.status))
        .add("iterations", static_cast<double>(completion.info.iterations))
        .add("residual", completion.info.residual)
        .add("fingerprint", fingerprint(completion.kernels));
  }
  const double n = static_cast<double>(problem.n_samples());
  line.add("seconds", best);
  line.add("cpu_seconds", best_cpu);
  line.add("observed", problem.observed().cast<double>().mean());
  line.add("peak_doubles_over_MN2",
           (memory("VmHWM") - before) / 8 / (n * n * static_cast<double>(problem.n_views())));
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: solve PROBLEM METHOD THREADS [REPEATS]\n";
    return 2;
  }
  try {
    const int repeats = argc > 4 ? std::atoi(argv[4]) : 1;
    std::cout << run(argv[1], argv[2], std::atoi(argv[3]), repeats).str() << std::endl;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
