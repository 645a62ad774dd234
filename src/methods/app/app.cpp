#include "methods/app/app.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "methods/app/app_paper.hpp"
#include "methods/app/app_solve.hpp"
#include "methods/make_method.hpp"
#include "methods/shared/optional_choice.hpp"
#include "methods/shared/proximal_descent.hpp"
#include "methods/shared/readout.hpp"
#include "methods/shared/tuning.hpp"
#include "numeric/blocks.hpp"

namespace mkc {

namespace {

using Candidates = std::array<double, 4>;
constexpr Candidates unit_candidates = {1e-3, 1e-2, 1e-1, 1},
                     paper_candidates = {1e-3, 0.1, 10, 1e3};
const Candidates& c2_candidates(LossScaling scaling) {
  return scaling == LossScaling::unit ? unit_candidates : paper_candidates;
}

constexpr double c2_without_held_out_rows = 1e-2;
constexpr double tuning_tolerance = 1e-3;
constexpr Index tuning_rounds = 30, paper_tuning_rounds = 10;

// Samples and views in the order of their names. The solver visits them one after another, so that
// their order shows in its result; the input's must not.
struct NameOrder {
  Indices samples, views;  // place in the problem of the first, second, ... by name
};

template <class Name>
Indices order_by(Index count, Name name) {
  Indices order(at(count));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return name(a) < name(b); });
  return order;
}

NameOrder order_by_name(const Problem& problem) {
  return {order_by(problem.n_samples(), [&](Index i) { return problem.samples()[at(i)]; }),
          order_by(problem.n_views(), [&](Index m) { return problem.view(m).name; })};
}

Indices inverse(const Indices& order) {
  Indices places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[at(order[i])] = static_cast<Index>(i);
  return places;
}

Problem reordered(const Problem& problem, const NameOrder& order) {
  Strings samples;
  for (const Index i : order.samples) samples.push_back(problem.samples()[at(i)]);
  std::vector<ObservedKernel> views;
  for (const Index m : order.views) {
    const ObservedKernel& view = problem.view(m);
    const Indices here = positions_in(view, problem.n_samples());
    ObservedKernel sorted{view.name, {}, {}, view.source};
    Indices positions;
    for (std::size_t i = 0; i < order.samples.size(); ++i)
      if (const Index position = here[at(order.samples[i])]; position >= 0) {
        sorted.rows.push_back(static_cast<Index>(i));
        positions.push_back(position);
      }
    sorted.block = submatrix(view.block, positions, positions);
    views.push_back(std::move(sorted));
  }
  ProblemChecks unchecked;
  unchecked.psd = PsdPolicy::unchecked;  // checked when the problem was made
  return Problem(std::move(samples), std::move(views), unchecked);
}

// Every view divided by its mean diagonal.
Problem with_unit_diagonals(const Problem& problem) {
  std::vector<SharedMatrix> blocks;
  for (const auto& view : problem.views()) {
    const double mean = view.block.diagonal().mean();
    blocks.push_back(mean > 0 ? SharedMatrix(view.block / mean) : view.block);
  }
  return problem.with_blocks(std::move(blocks));
}

// T_m ~ uniform(-1, 1), divided by n_m with start=random, keyed by the missing sample and the view.
std::vector<Matrix> random_start(const Problem& problem, AppStart start, std::uint64_t seed) {
  std::vector<Matrix> T;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const Index n = problem.view(m).block.rows();
    const double width = start == AppStart::paper ? 1 : 1 / static_cast<double>(n);
    Matrix T_m(n, static_cast<Index>(problem.missing(m).size()));
    for (Index t = 0; t < T_m.cols(); ++t) {
      Random random(seed, problem.samples()[at(problem.missing(m)[at(t)])], problem.view(m).name);
      for (Index i = 0; i < n; ++i) T_m(i, t) = random.uniform(-width, width);
    }
    T.push_back(std::move(T_m));
  }
  return T;
}

std::vector<Matrix> first_columns(const Problem& problem, const AppOptions& options,
                                  const Weights& loo, std::uint64_t seed, Index attempt) {
  if (*options.start == AppStart::loo) return approx::missing_columns(problem, loo);
  return random_start(problem, *options.start,
                      Random(seed, "restart", std::to_string(attempt)).next());
}

struct AppFit {
  Weights weights;
  Matrix S;
  Info info;
};

// A_II fixed at the identity.
AppFit solve_identity(const Problem& problem, const AppOptions& options, const Weights& loo,
                      std::vector<Matrix> start, const ProgressCallback& progress) {
  const approx::Objective objective(problem, options.c1, *options.c2, options.tau, loo,
                                    *options.scaling);
  approx::Solution solution =
      approx::solve(objective, std::move(start), options.tol, options.max_iter, progress);
  const approx::Terms terms = objective.terms(solution.point);
  AppFit fit{approx::full_weights(problem, solution.point.T), std::move(solution.point.S), {}};
  fit.info.status = solution.status;
  fit.info.objective = std::move(solution.history);
  fit.info.iterations = static_cast<Index>(fit.info.objective.size());
  fit.info.residual = solution.residual;
  fit.info.terms = {{"between", terms.between}, {"ridge", terms.ridge}, {"l21", terms.l21}};
  return fit;
}

// Eq. mkc_app as printed, from A = [I | T].
AppFit solve_paper(const Problem& problem, const AppOptions& options, const Weights&,
                   std::vector<Matrix> start, const ProgressCallback& progress) {
  const Index M = problem.n_views();
  Vector within = Vector::Ones(M), between = Vector::Constant(M, options.c1);
  double l21 = *options.c2;
  if (*options.scaling == LossScaling::unit) {
    const auto N = static_cast<double>(problem.n_samples());
    l21 /= N;
    for (Index m = 0; m < M; ++m) {
      const SharedMatrix& K = problem.view(m).block;
      within(m) = 1 / std::max(K.squaredNorm(), 1e-300);
      between(m) *= within(m) * std::pow(static_cast<double>(K.rows()) / N, 2);
    }
  }
  approx::PaperObjective objective(problem, std::move(within), std::move(between), l21);
  Matrix A = objective.stack(approx::full_weights(problem, start));
  AppFit fit;
  fit.info = descend_proximal(
      objective, A, {"app", options.tol, options.max_iter, *options.start == AppStart::paper},
      progress, [&] { objective.update_relations(A); });
  fit.weights = objective.unstack(A);
  fit.S = objective.relations();
  return fit;
}

double objective_of(const AppFit& fit) {
  double sum = 0;
  for (const auto& term : fit.info.terms) sum += term.second;
  return sum;
}

// The best of the starts by objective; the first of equals. From leave-one-out weights there is
// one.
AppFit fit_scaled(const Problem& problem, const AppOptions& options, const RunOptions& run,
                  const ProgressCallback& progress) {
  const Weights loo = leave_one_out_weights(problem, options.ridge, run.threads);
  const auto solve = options.form == AppForm::paper ? solve_paper : solve_identity;
  std::vector<AppFit> found(at(*options.start == AppStart::loo ? 1 : options.n_init));
  parallel_for(static_cast<Index>(found.size()), run.threads, [&](Index r) {
    found[at(r)] =
        solve(problem, options, loo, first_columns(problem, options, loo, run.seed, r), progress);
  });
  std::size_t best = 0;
  bool interrupted = false;
  for (std::size_t r = 0; r < found.size(); ++r) {
    if (objective_of(found[r]) < objective_of(found[best])) best = r;
    interrupted = interrupted || found[r].info.status == Status::interrupted;
  }
  if (interrupted) found[best].info.status = Status::interrupted;
  return std::move(found[best]);
}

std::vector<Matrix> kernels_of(const Problem& problem, const AppFit& fit, const AppOptions& options,
                               int threads) {
  const auto read_out = options.form == AppForm::paper ? kernels_as_solved : reconstructed_kernels;
  return read_out(problem, fit.weights, *options.diagonal, fit.S, threads);
}

Choice choose_c2(const Problem& problem, AppOptions options, const RunOptions& run,
                 SharedProgress& progress) {
  options.tol = std::max(options.tol, tuning_tolerance);
  options.max_iter = std::min(options.max_iter, tuning_rounds);
  if (options.form == AppForm::paper) {  // its steps are slow
    options.max_iter = std::min(options.max_iter, paper_tuning_rounds);
    options.n_init = 1;
  }
  const Candidates& candidates = c2_candidates(*options.scaling);
  RunOptions alone;
  alone.seed = run.seed;
  return TuningSet(problem, run.seed, options.measure)
      .choose(candidates.size(), run.threads, progress, "app: choosing c2",
              [&](const Problem& copy, std::size_t k, const ProgressCallback& go_on) {
                AppOptions candidate = options;
                candidate.c2 = candidates[k];
                const AppFit fit = fit_scaled(copy, candidate, alone, go_on);
                auto kernels = kernels_of(copy, fit, options, alone.threads);
                return options.form == AppForm::paper
                           ? with_observed_blocks(copy, std::move(kernels))
                           : kernels;
              });
}

// From the order of names back to that of the problem.
Completion in_order_of_problem(const std::vector<Matrix>& kernels, const Matrix& S,
                               const NameOrder& order) {
  Completion completion;
  const Indices samples = inverse(order.samples), views = inverse(order.views);
  for (const Index v : views)
    completion.kernels.push_back(submatrix(kernels[at(v)], samples, samples));
  completion.relations = submatrix(S, views, views);
  return completion;
}

// What follows from `form`.
void fill_in(AppOptions& options) {
  const bool paper = options.form == AppForm::paper;
  if (!options.diagonal) options.diagonal = paper ? DiagonalRule::none : DiagonalRule::add;
  if (!options.start) options.start = paper ? AppStart::paper : AppStart::loo;
  if (!options.scaling) options.scaling = paper ? LossScaling::paper : LossScaling::unit;
}

Completion fit_app(const Problem& problem, const AppOptions& given, const RunOptions& run) {
  const NameOrder order = order_by_name(problem);
  const Problem sorted = reordered(problem, order);
  const Problem scaled = with_unit_diagonals(sorted);

  AppOptions options = given;
  fill_in(options);
  Strings notices;
  SharedProgress progress(run);
  if (!given.c2) {
    const Choice choice = choose_c2(scaled, options, run, progress);
    options.c2 =
        choice.made() ? c2_candidates(*options.scaling)[choice.best] : c2_without_held_out_rows;
    notices.push_back(choice.notice(fmt::format("c2 = {}", *options.c2)));
  }
  AppFit fit = fit_scaled(scaled, options, run, progress.callback());
  Completion completion =
      in_order_of_problem(kernels_of(sorted, fit, options, run.threads), fit.S, order);
  completion.info = std::move(fit.info);
  completion.info.notices = std::move(notices);
  completion.info.parameters = app_options().values(options);
  return completion;
}

double solve_doubles(double N, double M) { return (4 * M + 1) * N * N; }

}  // namespace

OptionTable<AppOptions> app_options() {
  OptionTable<AppOptions> table("app");
  table.number("c1", &AppOptions::c1, 1e-9, 1e9,
               "weight of the between-view loss; larger = closer to the other views");
  table.number_or("auto", "c2", &AppOptions::c2, 0, 1e9,
                  "l2,1 penalty; larger = fewer samples carry weight; auto: on held-out rows");
  table.number("tau", &AppOptions::tau, 0, 1e9,
               "ridge on the relations between views; larger = more even; 0 = as in the paper");
  table.number("ridge", &AppOptions::ridge, 1e-12, 1e6,
               "relative ridge of the leave-one-out start; larger = smoother");
  table.choice("form", &AppOptions::form, {"identity", "paper"},
               "A_II fixed at the identity, or free with a within-view loss as in the paper");
  optional_choice(table, "diagonal", &AppOptions::diagonal, {"none", "add"},
                  "diagonal of completed samples: add = what the weights leave unexplained is "
                  "added; auto: add, with form=paper none");
  optional_choice(table, "start", &AppOptions::start, {"loo", "random", "paper"},
                  "first weights: leave-one-out ridge, uniform(-1, 1)/n_m, or uniform(-1, 1) as in "
                  "the paper; auto: loo, with form=paper paper");
  table.count("n_init", &AppOptions::n_init, 1, 10000,
              "random starts tried, the best by objective is kept; larger = slower, surer");
  optional_choice(table, "scaling", &AppOptions::scaling, {"unit", "paper"},
                  "unit: losses divided by what zero would cost; paper: plain sums; auto: unit, "
                  "with form=paper paper");
  table.number("tol", &AppOptions::tol, 1e-12, 1,
               "relative distance to stationarity at which to stop; smaller = slower");
  table.count("max_iter", &AppOptions::max_iter, 1, 1000000, "rounds over all views at most");
  return add_measure(table);
}

Method app_method() {
  return make_method(
      "kernel values as convex sums of the other views', kernels being A'KA (paper: MKC_app)",
      "rounds (M N^3 + M^2 N^2); c2=auto: 8 such runs on 300 samples at most",
      "(4 M + 1) N^2 doubles", app_options(), fit_app, bytes_with_tuning(solve_doubles));
}

}  // namespace mkc
