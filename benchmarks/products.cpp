// An iteration of a method beside its own matrix products, on one thread.
//   products PROBLEM METHOD FEW MANY      prints one JSON line
// The method runs with max_iter=FEW and max_iter=MANY; what the second does more is the iterations.
// Their products are then timed alone (benchmarks/blas_log.hpp); factorisations and
// eigendecompositions, whose time depends on the numbers, are timed in place.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>

#include "blas_log.hpp"
#include "cpu_clock.hpp"
#include "json_line.hpp"
#include "mkc/complete.hpp"
#include "problems.hpp"

namespace {

using namespace mkc;  // NOLINT: a benchmark file

struct Run {
  double seconds = 1e300;
  Index iterations = 0;
  bench::Log log;
};

// The shorter of two.
Run run(const Problem& problem, const std::string& method, int max_iter) {
  Run best;
  for (int i = 0; i < 2; ++i) {
    bench::take_log();
    const bench::CpuClock clock;
    const Completion completion =
        complete(problem, method + ",max_iter=" + std::to_string(max_iter));
    Run now{clock.seconds(), completion.info.iterations, bench::take_log()};
    if (now.seconds < best.seconds) best = std::move(now);
  }
  return best;
}

bench::JsonLine measure(const std::string& where, const std::string& method, int few, int many) {
  const Problem problem = bench::problem_of(where);
  Run less = run(problem, method, few);
  const Run more = run(problem, method, many);
  const double iterations = static_cast<double>(more.iterations - less.iterations);
  if (!(iterations > 0))
    throw std::runtime_error(method + " stops before the iterations asked for");
  double products = 0, in_place[3] = {0, 0, 0};
  long calls = 0;
  for (const auto& [shape, done] : more.log) {
    const bench::Calls before = less.log[shape];
    in_place[static_cast<int>(shape.kind)] += done.seconds - before.seconds;
    const long extra = done.count - before.count;
    if (shape.kind != bench::Kind::product || extra <= 0) continue;
    calls += extra;
    products += static_cast<double>(extra) * bench::seconds_alone(shape);
  }
  bench::JsonLine line;
  line.add("method", method);
  line.add("n", static_cast<double>(problem.n_samples()));
  line.add("m", static_cast<double>(problem.n_views()));
  line.add("iterations", iterations);
  line.add("iteration_seconds", (more.seconds - less.seconds) / iterations);
  line.add("products_seconds", products / iterations);
  line.add("cholesky_seconds", in_place[1] / iterations);
  line.add("eigen_seconds", in_place[2] / iterations);
  line.add("products_per_iteration", static_cast<double>(calls) / iterations);
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: products PROBLEM METHOD FEW MANY\n";
    return 2;
  }
  try {
    std::cout << measure(argv[1], argv[2], std::atoi(argv[3]), std::atoi(argv[4])).str()
              << std::endl;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
