#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mkc/models/embd.hpp"
#include "models/embd_descent.hpp"
#include "models/embd_hm_objective.hpp"

namespace mkc {

namespace {

constexpr double default_ridge = 1e-2, default_c2 = 0.1;
const std::vector<double> ridge_grid = {1e-4, 1e-2, 1e-1, 0.3, 1};
const std::vector<double> c2_grid = {0.003, 0.03, 0.1, 0.3, 1, 3};
constexpr double tuning_tolerance = 1e-3;

// A = sum_m A_m / n_i row by row, zero diagonal: the views' own starts, averaged. (N, N)
Matrix average_start(const Problem& problem, const Weights& start) {
  Matrix A = Matrix::Zero(problem.n_samples(), problem.n_samples());
  for (Index m = 0; m < problem.n_views(); ++m)
    A(problem.view(m).rows, Eigen::all) += start[static_cast<std::size_t>(m)];
  const Eigen::ArrayXd how_often = problem.observed().cast<double>().rowwise().sum();
  A.array().colwise() /= how_often;
  A.diagonal().setZero();
  return A;
}

struct Fit {
  solvers::Blocks A;
  Weights weights;  // per view
  Info info;
};

Fit solve(const Problem& problem, const Weights& start, double c2,
          const HomogeneousOptions& options, int threads, const ProgressCallback& progress) {
  HomogeneousObjective objective(problem, start, c2, threads);
  Fit fit;
  fit.A = {average_start(problem, start)};
  fit.info = descend(objective, fit.A, {"embd_hm", options.tol, options.max_iter}, progress, [] {});
  fit.weights = objective.weights_of_views(fit.A[0]);
  return fit;
}

std::string basis_notice(const Matrix& A) {
  return fmt::format("basis set: {} of {} samples", (A.rowwise().squaredNorm().array() > 0).count(),
                     A.rows());
}

// The ridge on the start alone, then c2 with that ridge.
void choose_options(const Problem& problem, HomogeneousOptions& options, const RunOptions& run,
                    SharedProgress& progress, Strings& notices) {
  if (options.ridge && options.c2) return;
  const TuningSet tuning(problem, run.seed, options.measure);
  if (!options.ridge)
    options.ridge = choose_ridge(tuning, ridge_grid, default_ridge, options.diagonal, run.threads,
                                 progress, notices);
  if (options.c2) return;
  HomogeneousOptions loose = options;
  loose.tol = std::max(options.tol, tuning_tolerance);
  const Choice choice = tuning.choose(
      c2_grid.size(), run.threads, progress, "embd_hm: choosing c2",
      [&](const Problem& copy, std::size_t k, const ProgressCallback& go_on) {
        const Weights start = leave_one_out_weights(copy, *options.ridge);
        return reconstructed_kernels(copy, solve(copy, start, c2_grid[k], loose, 1, go_on).weights,
                                     options.diagonal);
      });
  options.c2 = choice.made() ? c2_grid[choice.best] : default_c2;
  notices.push_back(choice.notice(fmt::format("c2 = {}", *options.c2)));
}

OptionTable<HomogeneousOptions> option_table() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  OptionTable<HomogeneousOptions> table("embd_hm");
  table
      .number_or("auto", "c2", &HomogeneousOptions::c2, 0, infinity,
                 "weight of the l2,1 norm; larger: fewer samples serve as basis")
      .number_or("auto", "ridge", &HomogeneousOptions::ridge, 0, infinity,
                 "relative ridge of the leave-one-out start; larger is smoother")
      .choice("diagonal", &HomogeneousOptions::diagonal, {"none", "add"},
              "add: what the weights leave unexplained is added to the diagonal")
      .choice("measure", &HomogeneousOptions::measure, {"are", "are_squared"},
              "what `auto` minimises on held-out rows: relative errors or their squares")
      .number("tol", &HomogeneousOptions::tol, 0, 1, "relative distance to stationarity to stop at")
      .count("max_iter", &HomogeneousOptions::max_iter, 1, 1000000, "reweighting rounds");
  return table;
}

Completion fit_embd_hm(const Problem& problem, const HomogeneousOptions& given,
                       const RunOptions& run) {
  HomogeneousOptions options = given;
  Completion completion;
  Strings notices;
  SharedProgress progress(run);
  choose_options(problem, options, run, progress, notices);
  const Weights start = leave_one_out_weights(problem, *options.ridge, run.threads);
  Fit fit = solve(problem, start, *options.c2, options, run.threads, progress.callback());
  completion.kernels =
      reconstructed_kernels(problem, fit.weights, options.diagonal, {}, run.threads);
  completion.info = std::move(fit.info);
  notices.push_back(basis_notice(fit.A[0]));
  completion.info.notices = std::move(notices);
  completion.info.parameters = option_table().values(options);
  return completion;
}

double working_bytes(Index n_samples, Index n_views) {
  return 8.0 * double(n_samples) * double(n_samples) * double(5 * n_views + 9);
}

}  // namespace

Method embd_hm_method() {
  return make_method("one sparse set of reconstruction weights shared by all views (paper)",
                     "4 N^3 per step, some 100 steps", "(5 M + 9) N^2 doubles", option_table(),
                     fit_embd_hm, working_bytes);
}

Completion complete_embd_hm(const Problem& problem, const HomogeneousOptions& options,
                            const RunOptions& run) {
  return complete(problem, format_spec({"embd_hm", option_table().values(options)}), run);
}

}  // namespace mkc
