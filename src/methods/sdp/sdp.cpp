#include "methods/sdp/sdp.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "base/cancel.hpp"
#include "methods/make_method.hpp"
#include "methods/sdp/sdp_descent.hpp"
#include "methods/sdp/sdp_parts.hpp"
#include "methods/shared/observed_block.hpp"
#include "methods/shared/relations.hpp"
#include "methods/shared/tuning.hpp"

namespace mkc {

namespace {

constexpr std::array c_grid = {1e-3, 1e-2, 1e-1, 1.0};  // see docs/methods/sdp.md
constexpr double c_without_held_out_rows = 1e-2;
constexpr double tuning_tolerance = 1e-2;
constexpr Index tuning_rounds = 60;

/// One descent from one start.
struct Attempt {
  std::vector<Matrix> X;
  Matrix S;
  SdpObjective::Terms terms;
  double objective = std::numeric_limits<double>::infinity();
  std::vector<double> history;
  double residual = 0;
  Status status = Status::max_iterations;
};

// The ridge on S is measured at the leave-one-out start, whichever start is taken, so that
// objectives can be compared.
SdpObjective make_objective(const Problem& problem, double c, const SdpOptions& options,
                            int threads) {
  SdpObjective objective(problem, c, options.scaling);
  if (options.tau > 0)
    objective.set_ridge(options.tau,
                        sdp::start_kernels(problem, SdpStart::loo, 0, options.ridge, 0, threads));
  return objective;
}

Attempt descend_from(const SdpObjective& objective, std::vector<Matrix> X,
                     const SdpOptions& options, const ProgressCallback& progress) {
  SdpDescent descent(objective, std::move(X), equal_relations(objective.problem().n_views()));
  Attempt attempt;
  while (static_cast<Index>(attempt.history.size()) < options.max_iter) {
    if (!progress({"sdp", static_cast<Index>(attempt.history.size()), options.max_iter,
                   attempt.history.empty() ? 0 : attempt.history.back(), attempt.residual,
                   options.tol, 0, !attempt.history.empty()})) {
      attempt.status = Status::interrupted;
      break;
    }
    double met = 0;
    if (!whole_step(!attempt.history.empty(), [&] { met = descent.round(); })) {
      attempt.status = Status::interrupted;
      break;
    }
    attempt.history.push_back(descent.value());
    attempt.residual = met <= options.tol ? descent.residual() : met;
    if (attempt.residual <= options.tol) {
      attempt.status = Status::converged;
      break;
    }
  }
  if (attempt.status == Status::max_iterations) attempt.residual = descent.residual();
  attempt.terms = objective.terms(descent.kernels(), descent.relations());
  attempt.objective =
      attempt.terms.within + objective.c() * (attempt.terms.between + attempt.terms.ridge);
  attempt.terms.between *= objective.c();  // so that they add up to the objective
  attempt.terms.ridge *= objective.c();
  attempt.S = descent.relations();
  attempt.X = std::move(descent.kernels());
  return attempt;
}

Attempt best_of_starts(const SdpObjective& objective, const SdpOptions& options, std::uint64_t seed,
                       int threads, const ProgressCallback& progress) {
  const Index starts = options.start == SdpStart::random ? options.n_init : 1;
  Attempt best;
  for (Index k = 0; k < starts; ++k) {
    Attempt attempt = descend_from(
        objective,
        sdp::start_kernels(objective.problem(), options.start, seed, options.ridge, k, threads),
        options, progress);
    const bool interrupted = attempt.status == Status::interrupted;
    if (attempt.objective < best.objective) best = std::move(attempt);
    if (interrupted) {
      best.status = Status::interrupted;
      break;
    }
  }
  return best;
}

// Views in the order and at the scale of the input.
Completion to_completion(Attempt attempt, const sdp::Prepared& prepared) {
  const std::size_t M = prepared.order.size();
  Completion completion;
  completion.kernels.resize(M);
  completion.relations.emplace(prepared.order.size(), prepared.order.size());
  for (std::size_t m = 0; m < M; ++m) {
    const auto place = static_cast<std::size_t>(prepared.order[m]);
    completion.kernels[place] = prepared.scales(static_cast<Index>(m)) * attempt.X[m];
    for (std::size_t l = 0; l < M; ++l)
      (*completion.relations)(prepared.order[m], prepared.order[l]) =
          attempt.S(static_cast<Index>(m), static_cast<Index>(l));
  }
  Info& info = completion.info;
  info.status = attempt.status;
  info.iterations = static_cast<Index>(attempt.history.size());
  info.objective = std::move(attempt.history);
  info.residual = attempt.residual;
  info.terms = {{"within", attempt.terms.within},
                {"between", attempt.terms.between},
                {"ridge", attempt.terms.ridge}};
  return completion;
}

// The c of the grid that completes held-out rows best.
Choice choose_c(const Problem& problem, SdpOptions options, const RunOptions& run,
                SharedProgress& progress) {
  options.tol = std::max(options.tol, tuning_tolerance);
  options.max_iter = std::min(options.max_iter, tuning_rounds);
  return TuningSet(problem, run.seed, options.measure)
      .choose(c_grid.size(), run.threads, progress, "sdp: choosing c",
              [&](const Problem& copy, std::size_t k, const ProgressCallback& go_on) {
                const SdpObjective objective = make_objective(copy, c_grid[k], options, 1);
                auto kernels = best_of_starts(objective, options, run.seed, 1, go_on).X;
                for (Index m = 0; m < copy.n_views(); ++m) {
                  Matrix& K = kernels[at(m)];
                  K = keep_observed(copy.view(m), copy.samples(), std::move(K));
                }
                return kernels;
              });
}

Completion fit_sdp(const Problem& problem, const SdpOptions& given, const RunOptions& run) {
  const sdp::Prepared prepared = sdp::prepare(problem);
  SdpOptions options = given;
  Strings notices;
  SharedProgress progress(run);
  if (!given.c) {
    const Choice choice = choose_c(prepared.problem, given, run, progress);
    options.c = choice.made() ? c_grid[choice.best] : c_without_held_out_rows;
    notices.push_back(choice.notice(fmt::format("c = {}", *options.c)));
  }
  const SdpObjective objective = make_objective(prepared.problem, *options.c, options, run.threads);
  Completion completion = to_completion(
      best_of_starts(objective, options, run.seed, run.threads, progress.callback()), prepared);
  completion.info.notices = std::move(notices);
  completion.info.parameters = sdp_options().values(options);
  return completion;
}

// Per view: X, the X before, the answer; the input twice, in the method's order and scale. For all
// views: a target and its parts, the solver's three matrices, one to decompose and two of LAPACK's.
double solve_doubles(double N, double M) { return (2.2 * M + 7) * N * N; }

}  // namespace

OptionTable<SdpOptions> sdp_options() {
  OptionTable<SdpOptions> table("sdp");
  table.number_or(
      "auto", "c", &SdpOptions::c, 1e-6, 1e6,
      "weight of the agreement between views; larger: views more alike, observed blocks "
      "kept less exactly; auto: chosen on held-out rows");
  table.count("max_iter", &SdpOptions::max_iter, 1, 1000000, "rounds over the views at most");
  table.number("tol", &SdpOptions::tol, 1e-12, 1, "stop at this relative distance to stationarity");
  table.choice("scaling", &SdpOptions::scaling, {"balanced", "paper"},
               "balanced: losses divided by what zero would cost; paper: plain sums");
  table.choice(
      "start", &SdpOptions::start, {"loo", "mean", "random"},
      "missing entries at the start: by leave-one-out weights, mean of the other views, or "
      "uniform(-1, 1)");
  table.number("ridge", &SdpOptions::ridge, 1e-12, 1e6,
               "relative ridge of the leave-one-out start; larger is smoother");
  table.number("tau", &SdpOptions::tau, 0, 1e9,
               "ridge on the relations between views; larger: more even; 0: none, as in the paper");
  table.count("n_init", &SdpOptions::n_init, 1, 1000,
              "random starts; the lowest objective is kept; for start=random alone");
  return add_measure(table);
}

Method sdp_method() {
  return make_method("PSD kernels close to a convex combination of the other views' kernels",
                     "200 M N^3 eigenvalue steps or so; c=auto doubles it",
                     "(2.2 M + 7) N^2 doubles; per thread that on 300 samples while c is chosen",
                     sdp_options(), fit_sdp, bytes_with_tuning(solve_doubles));
}

}  // namespace mkc
