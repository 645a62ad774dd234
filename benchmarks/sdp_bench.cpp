#include <benchmark/benchmark.h>

#include <random>

#include "mkc/linalg/blas.hpp"
#include "mkc/models/sdp.hpp"

// One completion by sdp of views with a common low-rank part, a quarter of each view missing.
namespace {

using namespace mkc;

Problem random_problem(Index n_samples, Index n_views) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  const auto draw = [&](Index rows, Index cols) {
    return Matrix(Matrix::NullaryExpr(rows, cols, [&](Index, Index) { return normal(engine); }));
  };
  const Matrix common = draw(n_samples, 10);
  std::vector<Matrix> kernels;
  Mask observed = Mask::Constant(n_samples, n_views, true);
  for (Index m = 0; m < n_views; ++m) {
    Matrix F(n_samples, 20);
    F << common, 0.5 * draw(n_samples, 10);
    kernels.push_back(linalg::gram_of_rows(F));
    for (Index i = 0; i < n_samples; ++i) observed(i, m) = i % 4 != m % 4;
  }
  return Problem(kernels, observed);
}

void sdp(benchmark::State& state) {
  const Problem problem = random_problem(state.range(0), state.range(1));
  SdpOptions options;
  if (state.range(2) == 0) options.c = 0.01;
  Completion completion;
  for (auto _ : state) completion = complete_sdp(problem, options);
  state.counters["rounds"] = static_cast<double>(completion.info.iterations);
  state.counters["residual"] = completion.info.residual;
}
BENCHMARK(sdp)
    ->ArgNames({"N", "M", "auto"})
    ->Args({100, 5, 0})
    ->Args({100, 5, 1})
    ->Args({300, 5, 1})
    ->Args({720, 5, 0})
    ->Args({720, 5, 1})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
