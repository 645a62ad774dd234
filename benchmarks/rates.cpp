// What the machine can do on one thread, through mkc's own door to BLAS: matrix products and
// symmetric eigendecompositions.
//   rates LARGEST_N      prints one JSON line per measurement, the first one about BLAS itself
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "base/random.hpp"
#include "cpu_clock.hpp"
#include "json_line.hpp"
#include "mkc/version.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace {

using namespace mkc;  // NOLINT: a benchmark file

// The shortest of several runs that take about a third of a second together.
template <class Work>
double best_seconds(const Work& work) {
  work();
  const bench::CpuClock all;
  double best = 1e300;
  for (int i = 0; i < 50 && (i < 3 || all.seconds() < 0.3); ++i) {
    const bench::CpuClock one;
    work();
    best = std::min(best, one.seconds());
  }
  return std::max(best, 1e-9);  // a tiny product may end before the clock has moved
}

void print(const char* what, Index n, double seconds, double operations) {
  bench::JsonLine line;
  line.add("what", what).add("n", static_cast<double>(n)).add("seconds", seconds);
  line.add("giga_per_second", operations / seconds / 1e9);
  std::cout << line.str() << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const Index largest = argc > 1 ? std::atol(argv[1]) : 1024;
  std::cout << bench::JsonLine().add("mkc", version).add("blas", linalg::blas_name()).str()
            << std::endl;
  Random random(1, "rates");
  const Matrix A =
      Matrix::NullaryExpr(largest, largest, [&](Index, Index) { return random.uniform(-1, 1); });
  for (Index n = std::max<Index>(largest / 8, 1); n <= largest; n *= 2) {
    const double cube = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    const Matrix X = A.topLeftCorner(n, n), K = linalg::gram_of_rows(X);
    Matrix C(n, n);
    print("dgemm", n,
          best_seconds([&] { linalg::gemm(1, X, linalg::Op::none, X, linalg::Op::none, 0, C); }),
          2 * cube);
    linalg::EighWorkspace eigh(n);
    print("eigh", n, best_seconds([&] { eigh.all(K); }), cube);
  }
  return 0;
}
