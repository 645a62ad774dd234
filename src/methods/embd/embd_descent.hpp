#pragma once

#include <algorithm>
#include <limits>

#include "base/cancel.hpp"
#include "methods/embd/embd.hpp"
#include "methods/shared/tuning.hpp"
#include "numeric/solvers/proximal_gradient.hpp"
#include "numeric/solvers/reweighted_cg.hpp"

/// What embd_ht and embd_hm share: choose the ridge of the start, then descend round by round.
namespace mkc {

struct DescentOptions {
  std::string method;  // for progress
  double tol;
  Index max_iter;
};

/// What either method ends with.
struct EmbeddingFit {
  Weights weights;
  std::optional<Matrix> relations;  // embd_ht alone
  Indices basis;                    // per view: samples that serve as basis
  Info info;

  double objective() const { return info.objective.back(); }
};

/// Throws OptionError where the options do not go together.
void check_form(const std::string& method, EmbeddingForm form, EmbeddingStart start);

/// The ridge of the leave-one-out start that predicts held-out rows best with the start alone.
double choose_ridge(const TuningSet& tuning, const std::vector<double>& grid, double fallback,
                    DiagonalRule diagonal, int threads, SharedProgress& progress, Strings& notices);

/// "basis sets: 'a' 3 of 10, 'b' 7 of 12"
std::string basis_notice(const Problem& problem, const Indices& basis);

/// Rows of A that are not zero.
Index nonzero_rows(const MatrixRef& A);

/// fit(attempt) for attempt = 0 .. n_init - 1; the one with the lowest objective, the first of
/// equals. Stops where one was interrupted.
template <class Fit>
EmbeddingFit best_of(Index n_init, const Fit& fit) {
  EmbeddingFit best = fit(0);
  for (Index attempt = 1; attempt < n_init && best.info.status != Status::interrupted; ++attempt) {
    EmbeddingFit next = fit(attempt);
    const bool interrupted = next.info.status == Status::interrupted;
    if (next.objective() < best.objective()) best = std::move(next);
    if (interrupted) best.info.status = Status::interrupted;
  }
  return best;
}

/// The last value is that of the returned X, and the terms are its parts.
inline void finish(Info& info, std::vector<std::pair<std::string, double>> terms) {
  info.terms = std::move(terms);
  info.objective.back() = 0;
  for (const auto& [name, value] : info.terms) info.objective.back() += value;
}

/// Rounds of reweighted conjugate gradients on `objective` from X, until the relative distance to
/// stationarity is at most tol. begin_round() is called before each round and may change the
/// objective, as long as that does not raise it. Fills in the Info of the
/// descent.
template <class Objective, class BeginRound>
Info descend(Objective& objective, solvers::Blocks& X, const DescentOptions& options,
             const ProgressCallback& progress, const BeginRound& begin_round) {
  Info info;
  info.status = Status::max_iterations;
  info.objective.reserve(static_cast<std::size_t>(std::min<Index>(options.max_iter, 10000) + 1));
  solvers::ReweightedWorkspace work;
  solvers::ReweightedOptions settings;
  settings.tolerance = options.tol;
  for (Index round = 0; round <= options.max_iter; ++round) {
    begin_round();
    const bool last = round == options.max_iter;
    if (last) settings.tolerance = std::numeric_limits<double>::infinity();  // measure only
    solvers::ReweightedRound done;
    if (!whole_step(round > 0,
                    [&] { done = solvers::reweighted_round(objective, X, settings, work); })) {
      info.status = Status::interrupted;
      break;
    }
    info.objective.push_back(done.objective + objective.constant());
    info.residual = done.residual;
    info.iterations = round;
    if (done.residual <= options.tol) info.status = Status::converged;
    if (last || done.residual <= options.tol) break;
    if (progress && !progress({options.method, round + 1, options.max_iter, info.objective.back(),
                               done.residual, options.tol, 0, true})) {
      info.status = Status::interrupted;
      break;
    }
  }
  finish(info, objective.terms(X));  // rows may have been dropped since the last value
  return info;
}

/// The same by monotone accelerated proximal gradient, `steps_per_round` steps a round: for the
/// paper's own objectives, which are not quadratic.
template <class Objective, class BeginRound>
Info descend_proximal(Objective& objective, Matrix& X, const DescentOptions& options,
                      const ProgressCallback& progress, const BeginRound& begin_round) {
  constexpr int steps_per_round = 25;
  Info info;
  info.status = Status::max_iterations;
  solvers::ProximalGradientWorkspace work;
  solvers::ProximalGradientOptions settings;
  settings.max_iterations = steps_per_round;
  settings.tolerance = options.tol;
  settings.keep_history = false;
  for (Index round = 0; round < options.max_iter; ++round) {
    begin_round();
    const auto done = solvers::proximal_gradient(objective, X, settings, work);
    info.objective.push_back(done.objective);
    info.iterations = round + 1;
    // stationary for the S of this very round
    if (done.status == solvers::Status::converged && done.iterations == 0)
      info.status = Status::converged;
    if (info.status == Status::converged || done.status == solvers::Status::no_progress) break;
    if (progress &&
        !progress({options.method, round + 1, options.max_iter, done.objective, 0, 0, 0, true})) {
      info.status = Status::interrupted;
      break;
    }
  }
  begin_round();  // the S that belongs to X
  objective.value_and_gradient(X, work.G);
  info.residual =
      objective.stationarity(X, work.G) / std::max(work.scale, std::numeric_limits<double>::min());
  finish(info, objective.terms(X));
  return info;
}

/// Chooses the options that were left open, solves and reconstructs.
template <class Options, class Choose, class Solve>
Completion fit_embedding(const Problem& problem, const Options& given, const RunOptions& run,
                         const OptionTable<Options>& table, Choose choose_options, Solve solve) {
  check_form(table.owner(), given.form, given.start);
  Options options = given;
  Strings notices;
  SharedProgress progress(run);
  choose_options(problem, options, run, progress, notices);
  EmbeddingFit fit = solve(problem, options, run.seed, run.threads, progress.callback());
  notices.push_back(basis_notice(problem, fit.basis));

  Completion completion;
  completion.kernels =
      reconstructed_kernels(problem, fit.weights, options.diagonal, fit.relations, run.threads);
  completion.relations = std::move(fit.relations);
  completion.info = std::move(fit.info);
  completion.info.notices = std::move(notices);
  completion.info.parameters = table.values(options);
  return completion;
}

/// What is enough where options are only compared: a looser tolerance, one start, and few of the
/// slow rounds of the printed form.
template <class Options>
Options for_tuning(Options options) {
  const bool printed = options.form == EmbeddingForm::paper;
  options.tol = std::max(options.tol, printed ? 1e-2 : 1e-3);
  if (printed) options.max_iter = std::min<Index>(options.max_iter, 10);
  options.n_init = 1;
  return options;
}

/// The options that both methods have, in the order in which they are shown.
template <class Options>
void add_shared_options(OptionTable<Options>& table) {
  table.choice("diagonal", &Options::diagonal, {"none", "add"},
               "add: what the weights leave unexplained is added to the diagonal");
  add_measure(table)
      .choice("form", &Options::form, {"features", "paper"},
              "what is minimised; paper: as printed there, which completes badly (decision 5)")
      .choice("start", &Options::start, {"loo", "identity"},
              "first weights: leave-one-out ridge, or identity and uniform (form=paper only)")
      .count("n_init", &Options::n_init, 1, 10000,
             "starts, all but the first perturbed at random; the lowest objective is kept")
      .choice("scaling", &Options::scaling, {"unit", "paper"},
              "losses divided by what zero weights cost, or as in the authors' code")
      .number("tol", &Options::tol, 0, 1, "relative distance to stationarity to stop at");
}

}  // namespace mkc
