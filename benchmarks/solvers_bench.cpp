#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <random>

#include "numeric/l21.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"
#include "numeric/solvers/proximal_gradient.hpp"
#include "numeric/solvers/psd_least_squares.hpp"
#include "numeric/solvers/simplex_qp.hpp"

// Each benchmark times what it is about and, in turn, the cheapest thing that could replace it; the
// counter "ratio" is the first over the second.
namespace {

using namespace mkc;
using linalg::Op;

Matrix random_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  return Matrix::NullaryExpr(rows, cols, [&](Index, Index) { return uniform(engine); });
}

Matrix random_symmetric(Index n, unsigned seed) {
  Matrix A = random_matrix(n, n, seed);
  linalg::mirror_lower(A);
  return A;
}

template <class F>
double seconds(F&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Times `work` as the benchmark and `baseline` beside it.
template <class F, class B>
void compare(benchmark::State& state, F&& work, B&& baseline) {
  double total = 0, base = 0;
  for (auto _ : state) {
    const double time = seconds(work);
    state.SetIterationTime(time);
    total += time;
    base += seconds(baseline);
  }
  state.counters["ratio"] = total / base;
}

void simplex_qp(benchmark::State& state) {
  const Index n = state.range(0);
  const Matrix H = linalg::gram_of_rows(random_matrix(n, 2 * n, 1));
  const Vector b = random_matrix(n, 1, 2) * std::sqrt(static_cast<double>(n));
  for (auto _ : state) benchmark::DoNotOptimize(solvers::simplex_qp(H, b).data());
}
BENCHMARK(simplex_qp)->Arg(5)->Arg(50)->Arg(300)->Unit(benchmark::kMicrosecond);

void prox_l21_over_memcpy(benchmark::State& state) {
  const Index n = state.range(0);
  const Matrix start = random_matrix(n, n, 3);
  Matrix A = start, copy = start;
  prox::L21 penalty(1e-6);
  compare(
      state, [&] { penalty.prox(A, 1); },
      [&] {
        std::memcpy(copy.data(), start.data(), static_cast<std::size_t>(n * n) * sizeof(double));
        benchmark::ClobberMemory();
      });
}
BENCHMARK(prox_l21_over_memcpy)->Arg(1000)->UseManualTime()->Unit(benchmark::kMillisecond);

void psd_least_squares_iteration_over_dsyevd(benchmark::State& state) {
  const Index n = state.range(0);
  const double shift = static_cast<double>(state.range(1)) / 100 * std::sqrt(double(n));
  const Matrix Z = random_symmetric(n, 4) + shift * Matrix::Identity(n, n);
  solvers::BlockWeights weights{{}, 100, 1};
  for (Index i = 0; i < n / 2; ++i) weights.block.push_back(i);
  solvers::PsdLeastSquaresWorkspace work;
  linalg::EighWorkspace eigh(n);
  Matrix X;
  constexpr int iterations = 10;
  compare(
      state,
      [&] {
        X = Z;
        solvers::psd_least_squares(Z, weights, X, {.max_iterations = iterations, .tolerance = 0},
                                   work);
      },
      [&] {
        for (int i = 0; i < iterations; ++i) eigh.all(Z);
      });
}
BENCHMARK(psd_least_squares_iteration_over_dsyevd)
    ->ArgNames({"n", "shift"})
    ->Args({100, 0})
    ->Args({400, 0})
    ->Args({400, 100})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// ||K - A'KA||_F^2 + c ||A||_2,1, counting its own time in products.
struct SelfReconstruction {
  Matrix K;
  prox::L21 g;
  Matrix KA = Matrix(K.rows(), K.cols()), R = KA;
  double products = 0;

  double value(const Matrix& A) {
    products += seconds([&] { linalg::symm(1, K, A, 0, KA); });
    R = K;
    products += seconds([&] { linalg::gemm(-1, A, Op::transpose, KA, Op::none, 1, R); });
    return R.squaredNorm();
  }
  double value_and_gradient(const Matrix& A, Matrix& G) {
    const double f = value(A);
    products += seconds([&] { linalg::gemm(-4, KA, Op::none, R, Op::none, 0, G); });
    return f;
  }
  double penalty(const Matrix& A) { return g.value(A); }
  void prox(Matrix& A, double step) { g.prox(A, step); }
  double stationarity(const Matrix& A, const Matrix& G) { return g.distance(A, G); }
};

void proximal_gradient_over_its_products(benchmark::State& state) {
  const Index n = state.range(0);
  const Matrix K = linalg::gram_of_rows(random_matrix(n, n, 5)) / static_cast<double>(n);
  SelfReconstruction problem{K, prox::L21(0.01)};
  const Matrix start = Matrix::Identity(n, n) + 0.1 * random_matrix(n, n, 6);
  solvers::ProximalGradientWorkspace work;
  Matrix A;
  double total = 0;
  for (auto _ : state) {
    A = start;
    total += seconds([&] {
      solvers::proximal_gradient(problem, A, {.max_iterations = 10, .tolerance = 0}, work);
    });
  }
  state.counters["ratio"] = total / problem.products;
}
BENCHMARK(proximal_gradient_over_its_products)->Arg(500)->Unit(benchmark::kMillisecond);

}  // namespace
