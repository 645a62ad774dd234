// Whole completions by every registered method on a made-up problem: how cost grows with N and M
// (BigO lines fit the exponent), and what a second thread brings.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>

#include "mkc/complete.hpp"
#include "mkc/kernels/functions.hpp"
#include "mkc/random.hpp"

namespace {

using mkc::Index;

// M Gaussian kernels of one state, 30 % of the (sample, view) pairs hidden.
mkc::Problem make_problem(Index n, Index m) {
  mkc::Random random(1, "benchmark");
  const auto normal = [&](Index, Index) { return random.normal(); };
  const mkc::Matrix state = mkc::Matrix::NullaryExpr(n, 5, normal);
  std::vector<mkc::Matrix> kernels;
  for (Index v = 0; v < m; ++v)
    kernels.push_back(mkc::rbf_kernel(
        (state * mkc::Matrix::NullaryExpr(5, 20, normal)).array().tanh().matrix(), 0.05));
  mkc::Mask observed(n, m);
  for (Index i = 0; i < n; ++i)
    for (Index v = 0; v < m; ++v) observed(i, v) = random.uniform() > 0.3 || v == i % m;
  observed.col(0).setConstant(true);  // for methods that need a complete view
  return mkc::Problem(kernels, observed);
}

const mkc::Problem& problem(Index n, Index m) {
  static std::map<std::pair<Index, Index>, mkc::Problem> made;
  const auto key = std::pair(n, m);
  if (!made.contains(key)) made.emplace(key, make_problem(n, m));
  return made.at(key);
}

void run(benchmark::State& state, const std::string& method) {
  const mkc::Problem& p = problem(state.range(0), state.range(1));
  mkc::RunOptions options;
  options.threads = static_cast<int>(state.range(2));
  for (auto _ : state) benchmark::DoNotOptimize(mkc::complete(p, method, options).kernels.data());
  state.SetComplexityN(state.range(0));
}

const int registered = [] {
  for (const auto& method : mkc::methods()) {
    const std::string name = method.name;
    const auto body = [name](benchmark::State& state) { run(state, name); };
    const auto add = [&](const std::string& what) {
      auto* bench = benchmark::RegisterBenchmark((name + "/" + what).c_str(), body);
      return bench->ArgNames({"N", "M", "threads"})->Unit(benchmark::kMillisecond)->UseRealTime();
    };
    add("samples")->ArgsProduct({{100, 200, 400, 800}, {5}, {1}})->Complexity();
    add("views")->ArgsProduct({{200}, {2, 5, 10}, {1}});
    add("threads")->ArgsProduct({{400}, {5}, {1, 2}});
  }
  return 0;
}();

}  // namespace
