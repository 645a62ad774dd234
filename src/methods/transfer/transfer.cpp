#include "methods/transfer/transfer.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "base/cancel.hpp"
#include "methods/make_method.hpp"
#include "methods/shared/conditional.hpp"
#include "methods/shared/iteration.hpp"
#include "methods/shared/tuning.hpp"
#include "methods/transfer/transfer_model.hpp"

namespace mkc {

namespace {

constexpr Index tuning_rounds = 3;
// Held-out rows are few, and the defaults were good on every set tried: a change must win by this.
constexpr double clearly = 0.01;

struct TransferFit {
  std::vector<Matrix> kernels;
  Matrix uncertainty, weights;
  Info info;
};

TransferFit solve(const Problem& problem, const TransferOptions& options, int threads,
                  const ProgressCallback& progress) {
  TransferModel model(problem, options, threads);
  TransferFit fit;
  fit.info.status = Status::max_iterations;
  while (fit.info.iterations < options.max_iter) {
    if (!whole_step(fit.info.iterations > 0, [&] { fit.info.residual = model.round(); })) {
      fit.info.status = Status::interrupted;
      break;
    }
    ++fit.info.iterations;
    if (ends(fit.info, options.tol, progress,
             {"transfer", fit.info.iterations, options.max_iter, fit.info.residual}))
      break;
  }
  if (options.sources == SourceViews::observed) model.round_from_observed();
  fit.uncertainty = model.uncertainty();
  fit.weights = model.weights();
  fit.kernels = std::move(model).kernels();
  return fit;
}

TransferOptions defaults_for_automatic(TransferOptions o) {
  if (!o.gamma) o.gamma = 0.5;
  if (!o.ridge) o.ridge = 0.02;
  if (o.intercept == Intercept::automatic) o.intercept = Intercept::yes;
  if (o.sources == SourceViews::automatic) o.sources = SourceViews::all;
  if (o.target == TargetDomain::automatic) o.target = TargetDomain::kernel;
  if (o.diagonal == TransferDiagonal::automatic) o.diagonal = TransferDiagonal::none;
  return o;
}

using Change = std::function<void(TransferOptions&)>;

/// Options to try together, each instead of the best so far.
struct OptionGroup {
  std::string name;
  std::vector<Change> changes;
};

// Gamma and intercept depend on one another, so they are tried together.
std::vector<Change> shapes_to_try(const TransferOptions& given) {
  const std::pair<double, Intercept> shapes[] = {
      {0, Intercept::no}, {1, Intercept::no}, {1, Intercept::yes}};
  std::vector<Change> changes;
  for (const auto& [gamma, intercept] : shapes)
    changes.push_back([=, gamma = gamma, intercept = intercept](TransferOptions& o) {
      if (!given.gamma) o.gamma = gamma;
      if (given.intercept == Intercept::automatic) o.intercept = intercept;
    });
  return changes;
}

// One group after the other, each from the best so far; options that were given stay.
std::vector<OptionGroup> groups_to_try(const TransferOptions& given) {
  std::vector<OptionGroup> groups;
  if (given.target == TargetDomain::automatic)
    groups.push_back({"target", {[](TransferOptions& o) { o.target = TargetDomain::log; }}});
  if (!given.gamma || given.intercept == Intercept::automatic)
    groups.push_back({"gamma", shapes_to_try(given)});
  if (given.diagonal == TransferDiagonal::automatic)
    groups.push_back(
        {"diagonal",
         {[](TransferOptions& o) { o.diagonal = TransferDiagonal::add; },
          [given](TransferOptions& o) {  // the points behind -log k have no diagonal to scale to
            o.diagonal = TransferDiagonal::scale;
            if (given.target == TargetDomain::automatic) o.target = TargetDomain::kernel;
          }}});
  if (!given.ridge) {
    groups.push_back({"ridge", {}});
    for (const double ridge : {0.0005, 0.003, 0.2})
      groups.back().changes.push_back([=](TransferOptions& o) { o.ridge = ridge; });
  }
  if (given.sources == SourceViews::automatic)
    groups.push_back({"sources", {[](TransferOptions& o) { o.sources = SourceViews::observed; }}});
  return groups;
}

// "gamma=0.5,ridge=0.02": what was chosen.
std::string difference(const TransferOptions& given, const TransferOptions& used) {
  OptionValues changed;
  const auto before = transfer_options().values(given), after = transfer_options().values(used);
  for (std::size_t k = 0; k < after.size(); ++k)
    if (before[k] != after[k]) changed.push_back(after[k]);
  const std::string spec = format_spec({"", changed});
  return spec.empty() ? spec : spec.substr(1);
}

// The best so far with each of the changes, without duplicates, which a given gamma may cause.
std::vector<TransferOptions> changed(const TransferOptions& best,
                                     const std::vector<Change>& changes) {
  const auto values = [](const TransferOptions& o) { return transfer_options().values(o); };
  std::vector<TransferOptions> different = {best};
  for (const Change& change : changes) {
    TransferOptions o = best;
    change(o);
    if (std::none_of(different.begin(), different.end(),
                     [&](const TransferOptions& d) { return values(d) == values(o); }))
      different.push_back(o);
  }
  different.erase(different.begin());
  return different;
}

// Fills in what is left to choose, on held-out observed rows.
TransferOptions choose_options(const Problem& problem, const TransferOptions& given,
                               const RunOptions& run, SharedProgress& progress, Strings& notices) {
  TransferOptions best = defaults_for_automatic(given);
  const auto groups = groups_to_try(given);
  if (groups.empty()) return best;
  const TuningSet tuning(problem, run.seed, given.measure);
  const auto race = [&](const std::vector<TransferOptions>& candidates, const std::string& what,
                        const Matrix* leader) {
    return tuning.race(
        candidates.size(), run.threads, progress, "transfer: choosing " + what,
        [&](const Problem& copy, std::size_t k, const ProgressCallback& go_on) {
          TransferOptions o = candidates[k];
          o.max_iter = std::min(o.max_iter, tuning_rounds);
          return solve(copy, o, 1, go_on).kernels;
        },
        leader);
  };
  Trial best_trial = race({best}, "options", nullptr)[0];
  Choice choice;
  for (const OptionGroup& group : groups) {
    const std::vector<TransferOptions> candidates = changed(best, group.changes);
    if (candidates.empty()) continue;
    const Trial to_beat{(1 - clearly) * best_trial.errors};
    std::vector<Trial> trials = race(candidates, group.name, &to_beat.errors);
    trials.insert(trials.begin(), to_beat);
    choice = best_row(means_of(trials), progress.stopped());
    if (!choice.made()) break;
    if (choice.best > 0) {
      best = candidates[choice.best - 1];
      best_trial = trials[choice.best];
    }
    choice.error = best_row(means_of({best_trial}), false).error;
  }
  notices.push_back(choice.notice(difference(given, best)));
  return best;
}

Completion fit_transfer(const Problem& problem, const TransferOptions& given,
                        const RunOptions& run) {
  Completion completion;
  Strings notices;
  SharedProgress progress(run);
  const TransferOptions options = choose_options(problem, given, run, progress, notices);
  TransferFit fit = solve(problem, options, run.threads, progress.callback());
  completion.kernels = std::move(fit.kernels);
  completion.uncertainty = std::move(fit.uncertainty);
  completion.relations = std::move(fit.weights);
  completion.info = std::move(fit.info);
  completion.info.notices = std::move(notices);
  completion.info.parameters = transfer_options().values(options);
  return completion;
}

// Of all views: columns of missing samples. Of each at once: G with its factor, K_II.
double doubles(double N, double M, double at_once) {
  return N * N * (0.25 * M + 1.8 * at_once + 1);
}

double working_bytes(Index n_samples, Index n_views, int threads) {
  const auto with_tuning = bytes_with_tuning([](double N, double M) { return doubles(N, M, 1); });
  const auto at_once = double(TransferModel::views_at_once(n_samples, n_views, threads));
  return std::max(with_tuning(n_samples, n_views, threads),
                  8 * doubles(double(n_samples), double(n_views), at_once));
}

}  // namespace

OptionTable<TransferOptions> transfer_options() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  OptionTable<TransferOptions> table("transfer");
  table
      .number_or("auto", "gamma", &TransferOptions::gamma, 0, infinity,
                 "G = exp(-gamma distance); larger: only near samples count; 0: the kernels' sum")
      .number_or("auto", "ridge", &TransferOptions::ridge, 0, infinity,
                 "added to the diagonal of G; larger is smoother")
      .choice("intercept", &TransferOptions::intercept, {"no", "yes", "auto"},
              "yes: weights sum to about 1; no: a sample unlike all others gets values near 0")
      .choice("weights", &TransferOptions::weights, {"equal", "loo"},
              "loo: views that predict the view better when rows are left out count more")
      .choice("sources", &TransferOptions::sources, {"all", "observed", "auto"},
              "observed: in the end each sample is predicted from the views it really has")
      .choice("target", &TransferOptions::target, {"kernel", "log", "auto"},
              "log: predict the points behind -log k where there are such points")
      .choice(
          "diagonal", &TransferOptions::diagonal, {"none", "add", "scale", "auto"},
          "where k(t,t) of a completed sample is not what it should be: add to it, or scale its "
          "row");
  add_measure(table)
      .number("tol", &TransferOptions::tol, 0, 1, "stop once a round changes less, relative")
      .count("max_iter", &TransferOptions::max_iter, 1, 1000, "rounds over all views at most");
  return table;
}

Method transfer_method() {
  Method method = make_method("every view from the others by kernel regression, round by round",
                              "3 M N^3 per round, some 3 to 7 rounds; some 20 runs on at most 300 "
                              "samples to choose options",
                              "(0.25 M + 3) N^2 doubles; below 500 samples 1.8 N^2 more per thread",
                              transfer_options(), fit_transfer, working_bytes);
  method.obstacle = obstacle_of_one_view;
  return method;
}

}  // namespace mkc
