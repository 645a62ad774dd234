#include <limits>

#include <fmt/format.h>

#include "mkc/models/embd.hpp"
#include "models/embd_descent.hpp"
#include "models/embd_ht_objective.hpp"

namespace mkc {

namespace {

constexpr double default_ridge = 1e-2, default_c1 = 0.1, default_c2 = 0.03;
const std::vector<double> ridge_grid = {1e-3, 1e-2, 3e-2, 1e-1};
const std::vector<double> c1_grid = {0.01, 0.1, 1, 10};
const std::vector<double> c2_grid = {0.003, 0.03};
constexpr double tuning_tolerance = 1e-3;

struct Fit {
  solvers::Blocks B;
  Weights weights;
  Matrix relations;
  Info info;
};

Fit solve(const Problem& problem, const Weights& start, double c1, double c2,
          const HeterogeneousOptions& options, int threads, const ProgressCallback& progress) {
  HeterogeneousObjective objective(problem, start, c1, c2, options.tau, threads);
  Fit fit;
  fit.B = objective.start();
  fit.info = descend(objective, fit.B, {"embd_ht", options.tol, options.max_iter}, progress,
                     [&] { objective.update_relations(fit.B); });
  fit.relations = objective.relations();
  fit.weights = objective.weights(fit.B);
  return fit;
}

std::string basis_notice(const Problem& problem, const solvers::Blocks& B) {
  std::string text = "basis sets:";
  for (Index m = 0; m < problem.n_views(); ++m) {
    const Matrix& block = B[static_cast<std::size_t>(m)];
    text += fmt::format("{} '{}' {} of {}", m == 0 ? "" : ",", problem.view(m).name,
                        (block.rowwise().squaredNorm().array() > 0).count(), block.rows());
  }
  return text;
}

// The ridge on the start alone, then c1 and c2 together with that ridge.
void choose_options(const Problem& problem, HeterogeneousOptions& options, const RunOptions& run,
                    SharedProgress& progress, Strings& notices) {
  if (options.ridge && options.c1 && options.c2) return;
  const TuningSet tuning(problem, run.seed, options.measure);
  if (!options.ridge)
    options.ridge = choose_ridge(tuning, ridge_grid, default_ridge, options.diagonal, run.threads,
                                 progress, notices);
  if (options.c1 && options.c2) return;
  std::vector<std::pair<double, double>> grid;
  for (const double c1 : options.c1 ? std::vector{*options.c1} : c1_grid)
    for (const double c2 : options.c2 ? std::vector{*options.c2} : c2_grid)
      grid.emplace_back(c1, c2);
  HeterogeneousOptions loose = options;
  loose.tol = std::max(options.tol, tuning_tolerance);
  const Choice choice = tuning.choose(
      grid.size(), run.threads, progress, "embd_ht: choosing c1, c2",
      [&](const Problem& copy, std::size_t k, const ProgressCallback& go_on) {
        const Weights start = leave_one_out_weights(copy, *options.ridge);
        const Fit fit = solve(copy, start, grid[k].first, grid[k].second, loose, 1, go_on);
        return reconstructed_kernels(copy, fit.weights, options.diagonal, fit.relations);
      });
  options.c1 = choice.made() ? grid[choice.best].first : options.c1.value_or(default_c1);
  options.c2 = choice.made() ? grid[choice.best].second : options.c2.value_or(default_c2);
  notices.push_back(choice.notice(fmt::format("c1 = {}, c2 = {}", *options.c1, *options.c2)));
}

OptionTable<HeterogeneousOptions> option_table() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  OptionTable<HeterogeneousOptions> table("embd_ht");
  table
      .number_or("auto", "c1", &HeterogeneousOptions::c1, 0, infinity,
                 "weight of the between-view loss; larger: views more alike")
      .number_or("auto", "c2", &HeterogeneousOptions::c2, 0, infinity,
                 "weight of the l2,1 norm; larger: fewer samples serve as basis")
      .number_or("auto", "ridge", &HeterogeneousOptions::ridge, 0, infinity,
                 "relative ridge of the leave-one-out start; larger is smoother")
      .number("tau", &HeterogeneousOptions::tau, 0, infinity,
              "ridge on the view weights S; larger: more equal; 0: the paper's QP")
      .choice("diagonal", &HeterogeneousOptions::diagonal, {"none", "add"},
              "add: what the weights leave unexplained is added to the diagonal")
      .choice("measure", &HeterogeneousOptions::measure, {"are", "are_squared"},
              "what `auto` minimises on held-out rows: relative errors or their squares")
      .number("tol", &HeterogeneousOptions::tol, 0, 1,
              "relative distance to stationarity to stop at")
      .count("max_iter", &HeterogeneousOptions::max_iter, 1, 1000000,
             "rounds: view weights, then reconstruction weights");
  return table;
}

Completion fit_embd_ht(const Problem& problem, const HeterogeneousOptions& given,
                       const RunOptions& run) {
  HeterogeneousOptions options = given;
  Completion completion;
  Strings notices;
  SharedProgress progress(run);
  choose_options(problem, options, run, progress, notices);
  const Weights start = leave_one_out_weights(problem, *options.ridge, run.threads);
  Fit fit =
      solve(problem, start, *options.c1, *options.c2, options, run.threads, progress.callback());
  completion.kernels =
      reconstructed_kernels(problem, fit.weights, options.diagonal, fit.relations, run.threads);
  completion.relations = std::move(fit.relations);
  completion.info = std::move(fit.info);
  notices.push_back(basis_notice(problem, fit.B));
  completion.info.notices = std::move(notices);
  completion.info.parameters = option_table().values(options);
  return completion;
}

double working_bytes(Index n_samples, Index n_views) {
  return 8.0 * double(n_samples) * double(n_samples) * double(13 * n_views);
}

}  // namespace

Method embd_ht_method() {
  return make_method(
      "reconstruction weights per view, near a convex combination of the other views' (paper)",
      "4 M N^3 per step, some 100 steps", "13 M N^2 doubles", option_table(), fit_embd_ht,
      working_bytes);
}

Completion complete_embd_ht(const Problem& problem, const HeterogeneousOptions& options,
                            const RunOptions& run) {
  return complete(problem, format_spec({"embd_ht", option_table().values(options)}), run);
}

}  // namespace mkc
