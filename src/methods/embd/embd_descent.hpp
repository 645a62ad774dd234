#pragma once

#include <algorithm>
#include <limits>

#include "base/cancel.hpp"
#include "methods/embd/embd.hpp"
#include "methods/shared/optional_choice.hpp"
#include "methods/shared/proximal_descent.hpp"
#include "methods/shared/readout.hpp"
#include "methods/shared/tuning.hpp"
#include "numeric/solvers/reweighted_cg.hpp"

/// What embd_ht and embd_hm share: choose the ridge of the start, then descend round by round.
namespace mkc {

/// What either method ends with.
struct EmbeddingFit {
  Weights weights;
  std::optional<Matrix> relations;  // embd_ht alone
  Indices basis;                    // per view: samples that serve as basis
  Info info;

  double objective() const { return info.objective.back(); }
};

/// Throws OptionError where form=features is given an option of form=paper: `option` is its text,
/// `why` the reason.
void check_form(const std::string& method, EmbeddingForm form, bool of_paper,
                const std::string& option, const std::string& why);

/// Fills in what follows from `form`: with form=paper every default is the paper's, and the number
/// of starts that of its released code.
template <class Options>
void fill_in(const std::string& method, Options& options) {
  const bool paper = options.form == EmbeddingForm::paper;
  const auto is_set_to_another = [](const auto& field, auto only) {
    return field && *field != only;
  };
  check_form(
      method, options.form, is_set_to_another(options.start, EmbeddingStart::loo),
      options.start == EmbeddingStart::identity ? "start=identity" : "a start other than loo",
      "in form=features no sample may explain itself");
  check_form(method, options.form, is_set_to_another(options.readout, Readout::identity),
             "a readout other than identity",
             "form=features has no weights that could replace the identity");
  if (!options.diagonal) options.diagonal = paper ? DiagonalRule::none : DiagonalRule::add;
  if (!options.readout) options.readout = paper ? Readout::weights : Readout::identity;
  if (!options.start) options.start = paper ? EmbeddingStart::paper : EmbeddingStart::loo;
  if (!options.n_init) options.n_init = paper ? 5 : 1;
  if (!options.scaling) options.scaling = paper ? LossScaling::paper : LossScaling::unit;
  if constexpr (requires { options.rows; }) {
    check_form(method, options.form, is_set_to_another(options.rows, OutsideRows::carried),
               "rows other than carried", "form=features moves weights to samples the view has");
    if (paper && options.rows == OutsideRows::carried)
      throw OptionError(method + ": rows=carried needs form=features",
                        "with form=paper rows is zero or free");
    if (!options.rows) options.rows = paper ? OutsideRows::free : OutsideRows::carried;
  }
}

/// The kernels that follow from a fit, by the read-out of the options.
template <class Options>
std::vector<Matrix> kernels_of(const Problem& problem, const EmbeddingFit& fit,
                               const Options& options, int threads) {
  const auto read_out =
      *options.readout == Readout::identity ? reconstructed_kernels : kernels_as_solved;
  return read_out(problem, fit.weights, *options.diagonal, fit.relations, threads);
}

/// The same while options are compared: with the observed blocks kept, as in the end.
template <class Options>
std::vector<Matrix> compared_kernels(const Problem& copy, const EmbeddingFit& fit,
                                     const Options& options) {
  auto kernels = kernels_of(copy, fit, options, 1);
  return *options.readout == Readout::identity ? kernels
                                               : with_observed_blocks(copy, std::move(kernels));
}

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

/// Chooses the options that were left open, solves and reconstructs.
template <class Options, class Choose, class Solve>
Completion fit_embedding(const Problem& problem, const Options& given, const RunOptions& run,
                         const OptionTable<Options>& table, Choose choose_options, Solve solve) {
  Options options = given;
  fill_in(table.owner(), options);
  Strings notices;
  SharedProgress progress(run);
  choose_options(problem, options, run, progress, notices);
  EmbeddingFit fit = solve(problem, options, run.seed, run.threads, progress.callback());
  notices.push_back(basis_notice(problem, fit.basis));

  Completion completion;
  completion.kernels = kernels_of(problem, fit, options, run.threads);
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
  optional_choice(table, "diagonal", &Options::diagonal, {"none", "add"},
                  "add: what the weights leave unexplained is added to the diagonal; "
                  "auto: add, with form=paper none");
  add_measure(table).choice("form", &Options::form, {"features", "paper"},
                            "what is minimised; paper: as printed there (decision 5), and every "
                            "option left at auto is the paper's");
  optional_choice(table, "start", &Options::start, {"loo", "identity", "paper", "random"},
                  "first weights: leave-one-out ridge, or with form=paper identity and "
                  "uniform(-1, 1)/n, Algorithm 1's identity and uniform(-1, 1), all uniform(-1, 1);"
                  " auto: loo, with form=paper paper");
  table.count_or("auto", "n_init", &Options::n_init, 1, 10000,
                 "random starts, the lowest objective is kept; auto: 1, with form=paper 5");
  optional_choice(table, "scaling", &Options::scaling, {"unit", "paper", "released"},
                  "losses divided by what zero weights cost, by nothing, or as in the authors' "
                  "released code; auto: unit, with form=paper paper");
  table.number("tol", &Options::tol, 0, 1, "relative distance to stationarity to stop at");
}

}  // namespace mkc
