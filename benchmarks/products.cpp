// An iteration of a method beside its own matrix products, on one thread.
//   products PROBLEM METHOD FEW MANY      prints one JSON line
// The method runs with max_iter=FEW and max_iter=MANY; what the second does more is the iterations.
// Their products are then timed alone (benchmarks/blas_log.hpp); factorisations and
// eigendecompositions, whose time depends on the numbers, are timed in place.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>

#include "blas_log.hpp"
#include "cpu_clock.hpp"
#include "json_line.hpp"
#include "mkc/complete.hpp"
#include "problems.hpp"

namespace {

using namespace mkc;  // NOLINT: a benchmark file

/// The shortest times of a method that stops after some rounds, and of its products alone.
class Timed {
 public:
  Timed(const Problem& problem, std::string method)
      : problem_(problem), method_(std::move(method)) {}

  double seconds = 1e300, products = 1e300, cholesky = 0, eigen = 0;
  Index iterations = 0;
  std::size_t calls = 0;

  void run() {
    bench::take_log();
    const bench::CpuClock clock;
    iterations = complete(problem_, method_).info.iterations;
    const double now = clock.seconds();
    const bench::Log log = bench::take_log();
    if (!replay_) replay_.emplace(log.products);
    calls = log.products.size();
    if (now < seconds) {
      seconds = now;
      cholesky = log.cholesky;
      eigen = log.eigen;
    }
    products = std::min(products, replay_->seconds());
  }

 private:
  const Problem& problem_;
  std::string method_;
  std::optional<bench::Replay> replay_;
};

bench::JsonLine measure(const std::string& where, const std::string& method, int few, int many) {
  const Problem problem = bench::problem_of(where);
  Timed less(problem, method + ",max_iter=" + std::to_string(few));
  Timed more(problem, method + ",max_iter=" + std::to_string(many));
  // By turns, so that a slow moment of the machine does not meet one of them alone.
  const bench::CpuClock all;
  for (int i = 0; i < 100 && (i < 3 || all.seconds() < 5); ++i) {
    less.run();
    more.run();
  }
  const double iterations = static_cast<double>(more.iterations - less.iterations);
  if (!(iterations > 0))
    throw std::runtime_error(method + " stops before the iterations asked for");
  bench::JsonLine line;
  line.add("method", method);
  line.add("n", static_cast<double>(problem.n_samples()));
  line.add("m", static_cast<double>(problem.n_views()));
  line.add("iterations", iterations);
  line.add("iteration_seconds", (more.seconds - less.seconds) / iterations);
  line.add("products_seconds", (more.products - less.products) / iterations);
  line.add("cholesky_seconds", (more.cholesky - less.cholesky) / iterations);
  line.add("eigen_seconds", (more.eigen - less.eigen) / iterations);
  line.add("products_per_iteration",
           (static_cast<double>(more.calls) - static_cast<double>(less.calls)) / iterations);
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
