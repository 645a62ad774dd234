#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mkc/assess/masking.hpp"
#include "mkc/models/relations.hpp"
#include "mkc/models/sdp_descent.hpp"
#include "mkc/observed_block.hpp"
#include "mkc/parallel.hpp"
#include "models/sdp_parts.hpp"

namespace mkc::sdp {

namespace {

constexpr std::array grid = {1e-3, 1e-2, 1e-1, 1.0};  // see docs/methods/sdp.md
constexpr double fallback = 1e-2;                     // where nothing can be held out
constexpr double hidden_share = 0.25;
constexpr int rounds = 8;  // the order of the grid points is settled long before convergence

double error_of(double c, const Problem& truth, const HeldOut& held_out,
                const SdpOptions& options) {
  const Problem& problem = held_out.problem;
  const SdpObjective objective(problem, c, options.scaling);
  SdpDescent descent(objective, start_kernels(problem, SdpStart::mean, 0, 0, 1),
                     equal_relations(problem.n_views()));
  for (int k = 0; k < rounds; ++k)
    if (descent.round() <= options.tol) break;
  std::vector<Matrix> kernels = std::move(descent.kernels());
  for (Index m = 0; m < problem.n_views(); ++m) {
    Matrix& K = kernels[static_cast<std::size_t>(m)];
    K = keep_observed(problem.view(m), problem.samples(), std::move(K));
  }
  return held_out_error(truth, held_out, kernels);
}

bool wants_to_go_on(const RunOptions& run, Index done) {
  return !run.progress || run.progress({"choose c", done, static_cast<Index>(grid.size()), 0});
}

}  // namespace

Choice choose_c(const Problem& problem, const SdpOptions& options, const RunOptions& run) {
  const HeldOut held_out = hide_rows(problem, hidden_share, run.seed);
  const auto is_empty = [](const Indices& rows) { return rows.empty(); };
  if (std::all_of(held_out.hidden.begin(), held_out.hidden.end(), is_empty))
    return {fallback, std::numeric_limits<double>::quiet_NaN()};

  Choice best{fallback, std::numeric_limits<double>::infinity()};
  const Index at_once = std::max(1, run.threads), total = static_cast<Index>(grid.size());
  for (Index done = 0; done < total; done += at_once) {
    if (!wants_to_go_on(run, done)) {
      best.interrupted = true;
      return best;
    }
    const Index count = std::min(at_once, total - done);
    Vector errors(count);
    parallel_for(count, run.threads, [&](Index k) {
      errors(k) = error_of(grid[static_cast<std::size_t>(done + k)], problem, held_out, options);
    });
    for (Index k = 0; k < count; ++k)
      if (errors(k) < best.error) {
        best.c = grid[static_cast<std::size_t>(done + k)];
        best.error = errors(k);
      }
  }
  return best;
}

}  // namespace mkc::sdp
