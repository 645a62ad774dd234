#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "methods/embd/embd.hpp"
#include "methods/embd/embd_descent.hpp"
#include "methods/embd/embd_hm_objective.hpp"
#include "methods/embd/embd_paper.hpp"
#include "methods/embd/embd_start.hpp"
#include "methods/make_method.hpp"

namespace mkc {

namespace {

constexpr double default_ridge = 1e-2, default_c2 = 0.1;
const std::vector<double> ridge_grid = {1e-4, 1e-2, 1e-1, 0.3, 1};

std::vector<double> c2_grid(LossScaling scaling) {
  if (scaling == LossScaling::paper) return {1e-3, 1e-2, 0.1, 1, 10, 100, 1e3};  // as its text
  if (scaling == LossScaling::released) return {1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
  return {0.003, 0.03, 0.1, 0.3, 1, 3};
}

// A = sum_m A_m / n_i row by row, zero diagonal: the views' own starts, averaged. (N, N)
Matrix average_start(const Problem& problem, const Weights& start) {
  Matrix A = Matrix::Zero(problem.n_samples(), problem.n_samples());
  for (Index m = 0; m < problem.n_views(); ++m) A(problem.view(m).rows, Eigen::all) += start[at(m)];
  const Eigen::ArrayXd how_often = problem.observed().cast<double>().rowwise().sum();
  A.array().colwise() /= how_often;
  A.diagonal().setZero();
  return A;
}

Indices basis_of(const Problem& problem, const Matrix& A) {
  Indices basis;
  const Eigen::Array<bool, Eigen::Dynamic, 1> used = A.rowwise().squaredNorm().array() > 0;
  for (const auto& view : problem.views()) {
    basis.push_back(0);
    for (const Index i : view.rows) basis.back() += used(i);
  }
  return basis;
}

// One descent of the default form, from the leave-one-out start and a perturbation of it.
EmbeddingFit solve_features(const Problem& problem, const HomogeneousOptions& options,
                            const LossWeights& weights, std::uint64_t seed, Index attempt,
                            int threads, const ProgressCallback& progress) {
  Weights start = leave_one_out_weights(problem, *options.ridge, threads);
  solvers::Blocks A = {average_start(problem, start)};
  perturb(problem, "", all_samples(problem), all_samples(problem), seed, attempt, A[0]);
  A[0].diagonal().setZero();
  HomogeneousObjective objective(problem, std::move(start), weights, threads);
  EmbeddingFit fit;
  fit.info = descend(objective, A, {"embd_hm", options.tol, options.max_iter}, progress, [] {});
  fit.weights = objective.weights_of_views(A[0]);
  fit.basis = basis_of(problem, A[0]);
  return fit;
}

// Algorithm 1's start for one A: the identity on pairs of samples that some view has both of (the
// A_II of that view), uniform(-1, 1) elsewhere.
Matrix algorithm_start(const Problem& problem, std::uint64_t seed, Index attempt) {
  Matrix A = uniform_start(problem, "", all_samples(problem), seed, attempt);
  for (const auto& view : problem.views())
    for (const Index t : view.rows)
      for (const Index i : view.rows) A(i, t) = i == t ? 1 : 0;
  return A;
}

Matrix first_weights(const Problem& problem, const HomogeneousOptions& options, std::uint64_t seed,
                     Index attempt, int threads) {
  const Index N = problem.n_samples();
  const Indices all = all_samples(problem);
  if (*options.start == EmbeddingStart::random)
    return uniform_start(problem, "", all, seed, attempt);
  Matrix A;
  if (*options.start == EmbeddingStart::loo)
    A = average_start(problem, leave_one_out_weights(problem, *options.ridge, threads));
  else if (*options.start == EmbeddingStart::identity)
    A = Matrix::Identity(N, N);
  else
    A = algorithm_start(problem, seed, attempt);
  perturb(problem, "", all, all, seed, attempt, A);
  return A;
}

// One descent of the paper's own form.
EmbeddingFit solve_paper(const Problem& problem, const HomogeneousOptions& options,
                         const LossWeights& weights, std::uint64_t seed, Index attempt, int threads,
                         const ProgressCallback& progress) {
  Matrix A = first_weights(problem, options, seed, attempt, threads);
  PaperHomogeneous objective(problem, weights);
  EmbeddingFit fit;
  fit.info = descend_proximal(objective, A,
                              {"embd_hm", options.tol, options.max_iter, is_random(*options.start)},
                              progress, [] {});
  for (const auto& view : problem.views()) fit.weights.emplace_back(A(view.rows, Eigen::all));
  fit.basis = basis_of(problem, A);
  return fit;
}

EmbeddingFit solve(const Problem& problem, const HomogeneousOptions& options, std::uint64_t seed,
                   int threads, const ProgressCallback& progress) {
  const LossWeights weights = loss_weights(problem, options.form, *options.scaling, 0, *options.c2);
  const auto solver = options.form == EmbeddingForm::features ? solve_features : solve_paper;
  return best_of(*options.n_init, [&](Index attempt) {
    return solver(problem, options, weights, seed, attempt, threads, progress);
  });
}

// The ridge on the start alone, then c2 with that ridge.
void choose_options(const Problem& problem, HomogeneousOptions& options, const RunOptions& run,
                    SharedProgress& progress, Strings& notices) {
  if (*options.start != EmbeddingStart::loo && !options.ridge) options.ridge = default_ridge;
  if (options.ridge && options.c2) return;
  const TuningSet tuning(problem, run.seed, options.measure);
  if (!options.ridge)
    options.ridge = choose_ridge(tuning, ridge_grid, default_ridge, *options.diagonal, run.threads,
                                 progress, notices);
  if (options.c2) return;
  const std::vector<double> grid = c2_grid(*options.scaling);
  const HomogeneousOptions loose = for_tuning(options);
  const Choice choice = tuning.choose(
      grid.size(), run.threads, progress, "embd_hm: choosing c2",
      [&](const Problem& copy, std::size_t k, const ProgressCallback& go_on) {
        HomogeneousOptions candidate = loose;
        candidate.c2 = grid[k];
        return compared_kernels(copy, solve(copy, candidate, run.seed, 1, go_on), options);
      });
  options.c2 = choice.made() ? grid[choice.best] : default_c2;
  notices.push_back(choice.notice(fmt::format("c2 = {}", *options.c2)));
}

Completion fit_embd_hm(const Problem& problem, const HomogeneousOptions& given,
                       const RunOptions& run) {
  return fit_embedding(problem, given, run, embd_hm_options(), choose_options, solve);
}

// Per view H_m, K~_m, up to three sums of K~ over patterns and the input in the method's scale; A,
// linear term, Hessian, its inverse, three buffers of conjugate gradients, columns and products.
double solve_doubles(double N, double M) { return (4.4 * M + 4) * N * N; }

}  // namespace

OptionTable<HomogeneousOptions> embd_hm_options() {
  constexpr double largest = 1e9;  // far beyond all that is of use, and its square is a number
  OptionTable<HomogeneousOptions> table("embd_hm");
  table
      .number_or("auto", "c2", &HomogeneousOptions::c2, 0, largest,
                 "weight of the l2,1 norm; larger: fewer samples serve as basis")
      .number_or("auto", "ridge", &HomogeneousOptions::ridge, 0, largest,
                 "relative ridge of the leave-one-out start; larger is smoother");
  optional_choice(table, "readout", &HomogeneousOptions::readout, {"identity", "weights"},
                  "kernels A'KA with A_II replaced by the identity, or A as solved (form=paper); "
                  "auto: identity, with form=paper weights");
  add_shared_options(table);
  table.count("max_iter", &HomogeneousOptions::max_iter, 1, 1000000, "reweighting rounds");
  return table;
}

Method embd_hm_method() {
  return make_method("one sparse set of reconstruction weights shared by all views (paper)",
                     "4 N^3 per step, some 100 steps", "(4.4 M + 4) N^2 doubles", embd_hm_options(),
                     fit_embd_hm, bytes_with_tuning(solve_doubles));
}

}  // namespace mkc
