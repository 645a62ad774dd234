#include "mkc/models/sdp.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "mkc/models/relations.hpp"
#include "mkc/models/sdp_descent.hpp"
#include "mkc/observed_block.hpp"
#include "models/sdp_parts.hpp"
#include "models/tuning.hpp"

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

Attempt descend(const SdpObjective& objective, std::vector<Matrix> X, const SdpOptions& options,
                int threads, const ProgressCallback& progress) {
  SdpDescent descent(objective, std::move(X), equal_relations(objective.problem().n_views()));
  Attempt attempt;
  while (static_cast<Index>(attempt.history.size()) < options.max_iter) {
    if (!progress({"sdp", static_cast<Index>(attempt.history.size()), options.max_iter,
                   attempt.history.empty() ? 0 : attempt.history.back()})) {
      attempt.status = Status::interrupted;
      break;
    }
    const double met = descent.round();
    attempt.history.push_back(objective.value(descent.kernels(), descent.relations()));
    attempt.residual = met <= options.tol ? descent.residual(threads) : met;
    if (attempt.residual <= options.tol) {
      attempt.status = Status::converged;
      break;
    }
  }
  if (attempt.status != Status::converged) attempt.residual = descent.residual(threads);
  attempt.terms = objective.terms(descent.kernels(), descent.relations());
  attempt.objective = attempt.terms.within + objective.c() * attempt.terms.between;
  attempt.S = descent.relations();
  attempt.X = std::move(descent.kernels());
  return attempt;
}

Attempt best_of_starts(const SdpObjective& objective, const SdpOptions& options, std::uint64_t seed,
                       int threads, const ProgressCallback& progress) {
  const Index starts = options.start == SdpStart::random ? options.n_init : 1;
  Attempt best;
  for (Index k = 0; k < starts; ++k) {
    Attempt attempt =
        descend(objective, sdp::start_kernels(objective.problem(), options.start, seed, k, threads),
                options, threads, progress);
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
    completion.kernels[place] = prepared.scales(static_cast<Index>(m)) * std::move(attempt.X[m]);
    for (std::size_t l = 0; l < M; ++l)
      (*completion.relations)(prepared.order[m], prepared.order[l]) =
          attempt.S(static_cast<Index>(m), static_cast<Index>(l));
  }
  Info& info = completion.info;
  info.status = attempt.status;
  info.iterations = static_cast<Index>(attempt.history.size());
  info.objective = std::move(attempt.history);
  info.residual = attempt.residual;
  info.terms = {{"within", attempt.terms.within}, {"between", attempt.terms.between}};
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
                const SdpObjective objective(copy, c_grid[k], options.scaling);
                auto kernels = best_of_starts(objective, options, run.seed, 1, go_on).X;
                for (Index m = 0; m < copy.n_views(); ++m) {
                  Matrix& K = kernels[static_cast<std::size_t>(m)];
                  K = keep_observed(copy.view(m), copy.samples(), std::move(K));
                }
                return kernels;
              });
}

OptionTable<SdpOptions> option_table() {
  OptionTable<SdpOptions> table("sdp");
  table.number_or(
      "auto", "c", &SdpOptions::c, 1e-6, 1e6,
      "weight of the agreement between views; larger: views more alike, observed blocks "
      "kept less exactly; auto: chosen on held-out rows");
  table.count("max_iter", &SdpOptions::max_iter, 1, 1000000, "rounds over the views at most");
  table.number("tol", &SdpOptions::tol, 1e-12, 1, "stop at this relative distance to stationarity");
  table.choice("scaling", &SdpOptions::scaling, {"balanced", "paper"},
               "balanced: losses divided by what zero would cost; paper: plain sums");
  table.choice("start", &SdpOptions::start, {"mean", "random"},
               "missing entries at the start: mean of the other views, or uniform(-1, 1)");
  table.count("n_init", &SdpOptions::n_init, 1, 1000,
              "random starts; the lowest objective is kept; no effect with start=mean");
  table.choice("measure", &SdpOptions::measure, {"are", "are_squared"},
               "what `auto` minimises on held-out rows: relative errors or their squares");
  return table;
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
  const SdpObjective objective(prepared.problem, *options.c, options.scaling);
  Completion completion = to_completion(
      best_of_starts(objective, options, run.seed, run.threads, progress.callback()), prepared);
  completion.info.notices = std::move(notices);
  completion.info.parameters = option_table().values(options);
  return completion;
}

// Per view the solver's workspace: 3 N^2 of its own and 3 N^2 for eigenvectors; per thread that
// compares values of c another set of kernels and workspaces, which is gone before the fit.
double working_bytes(Index n_samples, Index n_views) {
  return static_cast<double>(n_samples * n_samples * (8 * n_views + 4)) * 8;
}

}  // namespace

Method sdp_method() {
  return make_method("PSD kernels close to a convex combination of the other views' kernels",
                     "200 M N^3 eigenvalue steps or so; c=auto doubles it",
                     "(8 M + 4) N^2 doubles, per thread while c is chosen", option_table(), fit_sdp,
                     working_bytes);
}

Completion complete_sdp(const Problem& problem, const SdpOptions& options, const RunOptions& run) {
  return complete(problem, format_spec({"sdp", option_table().values(options)}), run);
}

}  // namespace mkc
