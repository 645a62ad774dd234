// An iteration of a method beside its own matrix products, on one thread.
//   products PROBLEM METHOD FEW MANY      prints one JSON line
// The method runs with max_iter=FEW and max_iter=MANY; what the second does more is the iterations.
// Their products are then timed alone (benchmarks/blas_log.hpp); factorisations and
// eigendecompositions, whose time depends on the numbers, are timed in place.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <stdexcept>
#include <tuple>

#include "blas_log.hpp"
#include "cpu_clock.hpp"
#include "json_line.hpp"
#include "mkc/complete.hpp"
#include "problems.hpp"

namespace {

using namespace mkc;  // NOLINT: a benchmark file

/// The shortest time of a method that stops after some rounds, and what it called.
class Timed {
 public:
  Timed(const Problem& problem, std::string method)
      : problem_(problem), method_(std::move(method)) {}

  double seconds = 1e300;
  Index iterations = 0;
  bench::Log log;

  void run() {
    bench::take_log();
    const bench::CpuClock clock;
    const Index done = complete(problem_, method_).info.iterations;
    const double now = clock.seconds();
    if (now >= seconds) return;
    seconds = now;
    iterations = done;
    log = bench::take_log();
  }

 private:
  const Problem& problem_;
  std::string method_;
};

// The products of `more` without those that `less` has too, shape by shape, in their order.
std::vector<bench::Product> extra(const bench::Log& more, const bench::Log& less) {
  const auto shape = [](const bench::Product& p) {
    return std::tuple(p.routine, p.first, p.second, p.m, p.n, p.k);
  };
  std::map<decltype(shape(more.products[0])), long> common;
  for (const auto& product : less.products) ++common[shape(product)];
  std::vector<bench::Product> left;
  for (const auto& product : more.products)
    if (--common[shape(product)] < 0) left.push_back(product);
  return left;
}

bench::JsonLine measure(const std::string& where, const std::string& method, int few, int many) {
  const Problem problem = bench::problem_of(where);
  Timed less(problem, method + ",max_iter=" + std::to_string(few));
  Timed more(problem, method + ",max_iter=" + std::to_string(many));
  less.run();
  more.run();
  const double iterations = static_cast<double>(more.iterations - less.iterations);
  if (!(iterations > 0))
    throw std::runtime_error(method + " stops before the iterations asked for");
  const std::vector<bench::Product> products = extra(more.log, less.log);
  const bench::Replay replay(products);
  // By turns, so that a slow moment of the machine does not meet one of them alone.
  double alone = 1e300;
  const bench::CpuClock all;
  for (int i = 0; i < 100 && (i < 2 || all.seconds() < 5); ++i) {
    less.run();
    more.run();
    alone = std::min(alone, replay.seconds());
  }
  bench::JsonLine line;
  line.add("method", method);
  line.add("n", static_cast<double>(problem.n_samples()));
  line.add("m", static_cast<double>(problem.n_views()));
  line.add("iterations", iterations);
  line.add("iteration_seconds", (more.seconds - less.seconds) / iterations);
  line.add("products_seconds", alone / iterations);
  line.add("cholesky_seconds", (more.log.cholesky - less.log.cholesky) / iterations);
  line.add("eigen_seconds", (more.log.eigen - less.log.eigen) / iterations);
  line.add("products_per_iteration", static_cast<double>(products.size()) / iterations);
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
