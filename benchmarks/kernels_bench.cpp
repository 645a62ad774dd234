// Every kernel at n samples and 200 features, beside the entry-by-entry formula. The counter
// `ratio` is the time of the formula over the time of the kernel, `slow_ms` the former.
#include <benchmark/benchmark.h>

#include <ctime>
#include <random>

#include "kernels/functions.hpp"
#include "kernels/slow_kernels.hpp"
#include "mkc/kernels/normalize.hpp"

namespace {

using namespace mkc;  // NOLINT: a benchmark file

constexpr Index features = 200;
constexpr double gamma_used = 1.0 / features;

Matrix random_features(Index n, Index d) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(n, d, [&](Index, Index) { return normal(engine); });
}

// Time of this process on its core, which others on the machine do not change.
template <class Action>
double seconds_of(Action action) {
  const std::clock_t start = std::clock();
  action();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

template <class Fast, class Slow>
void compare(benchmark::State& state, Fast fast, Slow slow) {
  const Matrix X = random_features(state.range(0), features);
  const double slow_seconds = seconds_of([&] { benchmark::DoNotOptimize(slow(X).data()); });
  double fast_seconds = 0;
  for (auto _ : state)
    fast_seconds += seconds_of([&] { benchmark::DoNotOptimize(fast(X).data()); });
  state.counters["slow_ms"] = 1e3 * slow_seconds;
  state.counters["ratio"] = slow_seconds / (fast_seconds / static_cast<double>(state.iterations()));
}

void linear(benchmark::State& state) {
  compare(state, [](const Matrix& X) { return linear_kernel(X); }, test::slow_linear);
}

void rbf(benchmark::State& state) {
  compare(
      state,
      [](const Matrix& X) { return exponential_of_distances(squared_distances(X), gamma_used); },
      [](const Matrix& X) { return test::slow_rbf(X, gamma_used); });
}

void poly(benchmark::State& state) {
  compare(
      state, [](const Matrix& X) { return polynomial_kernel(X, gamma_used, 1, 3); },
      [](const Matrix& X) { return test::slow_polynomial(X, gamma_used, 1, 3); });
}

void laplacian(benchmark::State& state) {
  compare(
      state,
      [](const Matrix& X) { return exponential_of_distances(absolute_distances(X), gamma_used); },
      [](const Matrix& X) { return test::slow_laplacian(X, gamma_used); });
}

void cosine(benchmark::State& state) {
  compare(state, [](const Matrix& X) { return cosine_kernel(X); }, test::slow_cosine);
}

void jaccard(benchmark::State& state) {
  compare(state, [](const Matrix& X) { return jaccard_kernel(X); }, test::slow_jaccard);
}

void latent_semantic(benchmark::State& state) {
  compare(
      state, [](const Matrix& X) { return latent_semantic_kernel(X, 100); },
      [](const Matrix& X) { return test::slow_latent_semantic(X, 100); });
}

// Centred, unit diagonal, half of the samples observed.
void undo_transform(benchmark::State& state) {
  const Matrix K = linear_kernel(random_features(state.range(0), features));
  Indices rows;
  for (Index i = 0; i < K.rows(); i += 2) rows.push_back(i);
  const Matrix block = K(rows, rows);
  const auto transform = KernelTransform::fit(block, {Normalization::unit, true}, "view");
  for (auto _ : state) benchmark::DoNotOptimize(transform.undo(K, rows, block).data());
}

BENCHMARK(linear)->Arg(500)->Arg(1000)->Arg(2000)->Unit(benchmark::kMillisecond);
BENCHMARK(rbf)->Arg(500)->Arg(1000)->Arg(2000)->Unit(benchmark::kMillisecond);
BENCHMARK(poly)->Arg(500)->Arg(1000)->Arg(2000)->Unit(benchmark::kMillisecond);
BENCHMARK(laplacian)->Arg(500)->Arg(1000)->Arg(2000)->Unit(benchmark::kMillisecond);
BENCHMARK(cosine)->Arg(500)->Arg(1000)->Arg(2000)->Unit(benchmark::kMillisecond);
BENCHMARK(jaccard)->Arg(500)->Arg(1000)->Arg(2000)->Unit(benchmark::kMillisecond);
BENCHMARK(latent_semantic)->Arg(500)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK(undo_transform)->Arg(500)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
