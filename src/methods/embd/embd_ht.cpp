#include <limits>

#include <fmt/format.h>

#include "methods/embd/embd.hpp"
#include "methods/embd/embd_descent.hpp"
#include "methods/embd/embd_ht_objective.hpp"
#include "methods/embd/embd_paper.hpp"
#include "methods/embd/embd_start.hpp"
#include "methods/make_method.hpp"

namespace mkc {

namespace {

constexpr double default_ridge = 1e-2, default_c1 = 0.1, default_c2 = 0.03;
const std::vector<double> ridge_grid = {1e-3, 1e-2, 3e-2, 1e-1};

// c1 and c2 that `auto` compares. paper: every second decade of its range. released: of the
// authors' grid only ratios matter, within 1000, between 1 or 10, l2,1 from 1e-4 to 10.
struct Grid {
  std::vector<double> c1, c2;
};
Grid grid_of(LossScaling scaling) {
  if (scaling == LossScaling::paper) return {{1e-3, 0.1, 10, 1e3}, {1e-3, 0.1, 10, 1e3}};
  if (scaling == LossScaling::released) return {{1e-3, 1e-2}, {1e-7, 1e-5, 1e-3, 1e-2}};
  return {{0.01, 0.1, 1, 10}, {0.003, 0.03}};
}

// One descent of the default form, from the leave-one-out start and a perturbation of it.
EmbeddingFit solve_features(const Problem& problem, const HeterogeneousOptions& options,
                            const LossWeights& weights, std::uint64_t seed, Index attempt,
                            int threads, const ProgressCallback& progress) {
  HeterogeneousObjective objective(problem, leave_one_out_weights(problem, *options.ridge, threads),
                                   weights, options.tau, threads);
  solvers::Blocks B = objective.take_start();
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    Matrix& block = B[at(m)];
    perturb(problem, view.name, view.rows, view.rows, seed, attempt, block);
    block.diagonal().setZero();
  }
  EmbeddingFit fit;
  fit.info = descend(objective, B, {"embd_ht", options.tol, options.max_iter}, progress,
                     [&] { objective.update_relations(B); });
  fit.relations = objective.relations();
  fit.weights = objective.weights(B);
  for (const Matrix& block : B) fit.basis.push_back(nonzero_rows(block));
  return fit;
}

// The start of the paper's own form, free rows included.
Matrix first_weights(const Problem& problem, const HeterogeneousOptions& options,
                     const PaperHeterogeneous& objective, std::uint64_t seed, Index attempt,
                     int threads) {
  const EmbeddingStart start = *options.start;
  Weights weights;
  if (start == EmbeddingStart::loo)
    weights = leave_one_out_weights(problem, *options.ridge, threads);
  else
    weights = identity_start(problem, seed);
  if (start == EmbeddingStart::loo || start == EmbeddingStart::identity)
    for (Index m = 0; m < problem.n_views(); ++m)
      perturb(problem, problem.view(m).name, problem.view(m).rows, all_samples(problem), seed,
              attempt, weights[at(m)]);
  Matrix X = objective.stack(weights);
  if (start == EmbeddingStart::loo || start == EmbeddingStart::identity) return X;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    auto A = objective.block(X, m);
    const Matrix I = A;  // the identity in rows and columns I_m
    A = uniform_start(problem, view.name, objective.samples_of(m), seed, attempt);
    if (start == EmbeddingStart::random) continue;
    for (const Index t : view.rows)
      for (Index i = 0; i < A.rows(); ++i)
        if (problem.observed()(objective.samples_of(m)[at(i)], m)) A(i, t) = I(i, t);
  }
  return X;
}

// One descent of the paper's own form.
EmbeddingFit solve_paper(const Problem& problem, const HeterogeneousOptions& options,
                         const LossWeights& weights, std::uint64_t seed, Index attempt, int threads,
                         const ProgressCallback& progress) {
  PaperHeterogeneous objective(problem, weights, *options.rows);
  Matrix X = first_weights(problem, options, objective, seed, attempt, threads);
  EmbeddingFit fit;
  fit.info = descend_proximal(objective, X,
                              {"embd_ht", options.tol, options.max_iter, is_random(*options.start)},
                              progress, [&] { objective.update_relations(X); });
  fit.relations = objective.relations();
  fit.weights = objective.unstack(X);
  for (const Matrix& A : fit.weights) fit.basis.push_back(nonzero_rows(A));
  if (*options.readout == Readout::others) fit.weights = objective.of_others(X);
  return fit;
}

EmbeddingFit solve(const Problem& problem, const HeterogeneousOptions& options, std::uint64_t seed,
                   int threads, const ProgressCallback& progress) {
  const LossWeights weights =
      loss_weights(problem, options.form, *options.scaling, *options.c1, *options.c2);
  const auto solver = options.form == EmbeddingForm::features ? solve_features : solve_paper;
  return best_of(*options.n_init, [&](Index attempt) {
    return solver(problem, options, weights, seed, attempt, threads, progress);
  });
}

// The ridge on the start alone, then c1 and c2 together with that ridge.
void choose_options(const Problem& problem, HeterogeneousOptions& options, const RunOptions& run,
                    SharedProgress& progress, Strings& notices) {
  if (*options.start != EmbeddingStart::loo && !options.ridge) options.ridge = default_ridge;
  if (options.ridge && options.c1 && options.c2) return;
  const TuningSet tuning(problem, run.seed, options.measure);
  if (!options.ridge)
    options.ridge = choose_ridge(tuning, ridge_grid, default_ridge, *options.diagonal, run.threads,
                                 progress, notices);
  if (options.c1 && options.c2) return;
  std::vector<std::pair<double, double>> grid;
  const Grid open = grid_of(*options.scaling);
  for (const double c1 : options.c1 ? std::vector{*options.c1} : open.c1)
    for (const double c2 : options.c2 ? std::vector{*options.c2} : open.c2)
      grid.emplace_back(c1, c2);
  const HeterogeneousOptions loose = for_tuning(options);
  const Choice choice = tuning.choose(
      grid.size(), run.threads, progress, "embd_ht: choosing c1, c2",
      [&](const Problem& copy, std::size_t k, const ProgressCallback& go_on) {
        HeterogeneousOptions candidate = loose;
        std::tie(candidate.c1, candidate.c2) = grid[k];
        return compared_kernels(copy, solve(copy, candidate, run.seed, 1, go_on), options);
      });
  options.c1 = choice.made() ? grid[choice.best].first : options.c1.value_or(default_c1);
  options.c2 = choice.made() ? grid[choice.best].second : options.c2.value_or(default_c2);
  notices.push_back(choice.notice(fmt::format("c1 = {}, c2 = {}", *options.c1, *options.c2)));
}

Completion fit_embd_ht(const Problem& problem, const HeterogeneousOptions& given,
                       const RunOptions& run) {
  return fit_embedding(problem, given, run, embd_ht_options(), choose_options, solve);
}

// Weights, three buffers of conjugate gradients, preconditioner, E, its part on missing samples and
// H there (together 2 n N), a few columns of differences; and the input in the method's scale.
double solve_doubles(double N, double M) { return 3.9 * M * N * N; }

}  // namespace

OptionTable<HeterogeneousOptions> embd_ht_options() {
  constexpr double largest = 1e9;  // far beyond all that is of use, and its square is a number
  OptionTable<HeterogeneousOptions> table("embd_ht");
  table
      .number_or("auto", "c1", &HeterogeneousOptions::c1, 0, largest,
                 "weight of the between-view loss; larger: views more alike")
      .number_or("auto", "c2", &HeterogeneousOptions::c2, 0, largest,
                 "weight of the l2,1 norm; larger: fewer samples serve as basis")
      .number_or("auto", "ridge", &HeterogeneousOptions::ridge, 0, largest,
                 "relative ridge of the leave-one-out start; larger is smoother")
      .number("tau", &HeterogeneousOptions::tau, 0, largest,
              "ridge on the view weights S; larger: more equal; 0: the paper's QP");
  optional_choice(
      table, "readout", &HeterogeneousOptions::readout, {"identity", "weights", "others"},
      "kernels A'KA with A_II replaced by the identity; with form=paper A as solved, or "
      "the other views' weights; auto: identity, with form=paper weights");
  optional_choice(table, "rows", &HeterogeneousOptions::rows, {"carried", "zero", "free"},
                  "rows of A on samples a view lacks: moved to those it has; with form=paper zero "
                  "(released code) or free; auto: carried, with form=paper free");
  add_shared_options(table);
  table.count("max_iter", &HeterogeneousOptions::max_iter, 1, 1000000,
              "rounds: view weights, then reconstruction weights");
  return table;
}

Method embd_ht_method() {
  return make_method(
      "reconstruction weights per view, near a convex combination of the other views' (paper)",
      "4 M N^3 per step, some 100 steps", "3.9 M N^2 doubles", embd_ht_options(), fit_embd_ht,
      bytes_with_tuning(solve_doubles));
}

}  // namespace mkc
