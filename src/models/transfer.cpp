#include "mkc/models/transfer.hpp"

#include <functional>
#include <limits>

#include <fmt/format.h>

#include "models/transfer_model.hpp"
#include "models/tuning.hpp"

namespace mkc {

namespace {

constexpr Index tuning_rounds = 3;

struct Fit {
  std::vector<Matrix> kernels;
  Matrix uncertainty, weights;
  Info info;
};

Fit solve(const Problem& problem, const TransferOptions& options, int threads,
          const ProgressCallback& progress) {
  TransferModel model(problem, options, threads);
  Fit fit;
  fit.info.status = Status::max_iterations;
  while (fit.info.iterations < options.rounds) {
    fit.info.residual = model.round();
    ++fit.info.iterations;
    if (fit.info.residual <= options.tol) {
      fit.info.status = Status::converged;
      break;
    }
    if (progress &&
        !progress({"transfer", fit.info.iterations, options.rounds, fit.info.residual})) {
      fit.info.status = Status::interrupted;
      break;
    }
  }
  if (options.sources == SourceViews::observed) model.round_from_observed();
  fit.kernels = model.kernels();
  fit.uncertainty = model.uncertainty();
  fit.weights = model.weights();
  return fit;
}

TransferOptions defaults_for_automatic(TransferOptions o) {
  if (!o.gamma) o.gamma = 0.5;
  if (!o.ridge) o.ridge = 0.02;
  if (o.intercept == Intercept::automatic) o.intercept = Intercept::yes;
  if (o.weights == SourceWeights::automatic) o.weights = SourceWeights::loo;
  if (o.sources == SourceViews::automatic) o.sources = SourceViews::all;
  if (o.target == TargetDomain::automatic) o.target = TargetDomain::kernel;
  if (o.diagonal == TransferDiagonal::automatic) o.diagonal = TransferDiagonal::none;
  return o;
}

using Change = std::function<void(TransferOptions&)>;

// What to try, one group after the other, each from the best so far. A group whose options are all
// given is skipped by giving no changes.
std::vector<std::vector<Change>> changes_to_try(const TransferOptions& given) {
  const auto shape = [](double gamma, Intercept intercept) {
    return [=](TransferOptions& o) { o.gamma = gamma, o.intercept = intercept; };
  };
  const auto ridge = [](double value) { return [=](TransferOptions& o) { o.ridge = value; }; };
  std::vector<std::vector<Change>> groups;
  if (!given.gamma && given.intercept == Intercept::automatic)
    groups.push_back({shape(0, Intercept::no), shape(0.25, Intercept::no),
                      shape(0.25, Intercept::yes), shape(1, Intercept::no),
                      shape(1, Intercept::yes)});
  else if (!given.gamma)
    groups.push_back(
        {shape(0, given.intercept), shape(0.25, given.intercept), shape(1, given.intercept)});
  else if (given.intercept == Intercept::automatic)
    groups.push_back({shape(*given.gamma, Intercept::no)});
  if (given.target == TargetDomain::automatic)
    groups.push_back({[](TransferOptions& o) { o.target = TargetDomain::log; }});
  if (!given.ridge) groups.push_back({ridge(0.003), ridge(0.1), ridge(0.5)});
  if (given.diagonal == TransferDiagonal::automatic)
    groups.push_back({[](TransferOptions& o) { o.diagonal = TransferDiagonal::add; }});
  if (given.weights == SourceWeights::automatic)
    groups.push_back({[](TransferOptions& o) { o.weights = SourceWeights::equal; }});
  if (given.sources == SourceViews::automatic)
    groups.push_back({[](TransferOptions& o) { o.sources = SourceViews::observed; }});
  return groups;
}

OptionTable<TransferOptions> option_table() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  OptionTable<TransferOptions> table("transfer");
  table
      .number_or("auto", "gamma", &TransferOptions::gamma, 0, infinity,
                 "G = exp(-gamma distance); larger: only near samples count; 0: the kernels' sum")
      .number_or("auto", "ridge", &TransferOptions::ridge, 0, infinity,
                 "added to the diagonal of G, relative to its mean; larger is smoother")
      .choice("intercept", &TransferOptions::intercept, {"no", "yes", "auto"},
              "yes: weights sum to about 1; no: a sample unlike all others gets values near 0")
      .choice("weights", &TransferOptions::weights, {"equal", "loo", "auto"},
              "loo: views that predict the view better when rows are left out count more")
      .choice("sources", &TransferOptions::sources, {"all", "observed", "auto"},
              "observed: in the end each sample is predicted from the views it really has")
      .choice("target", &TransferOptions::target, {"kernel", "log", "auto"},
              "log: predict the points behind -log k where there are such points")
      .choice("diagonal", &TransferOptions::diagonal, {"none", "add", "auto"},
              "add: the diagonal of completed samples is set to what it should be")
      .number("tol", &TransferOptions::tol, 0, 1, "stop once a round changes less, relative")
      .count("rounds", &TransferOptions::rounds, 1, 1000, "rounds over all views at most");
  return table;
}

// Fills in what is left to choose, on held-out observed rows.
TransferOptions choose_options(const Problem& problem, const TransferOptions& given,
                               const RunOptions& run, Strings& notices) {
  TransferOptions best = defaults_for_automatic(given);
  const auto groups = changes_to_try(given);
  if (groups.empty()) return best;
  const TuningSet tuning(problem, run.seed);
  if (tuning.usable())
    for (const auto& group : groups) {
      std::vector<TransferOptions> candidates(group.size() + 1, best);
      for (std::size_t k = 0; k < group.size(); ++k) group[k](candidates[k + 1]);
      best = candidates[tuning.best(candidates.size(), run.threads,
                                    [&](const Problem& copy, std::size_t k) {
                                      TransferOptions o = candidates[k];
                                      o.rounds = std::min(o.rounds, tuning_rounds);
                                      return solve(copy, o, 1, {}).kernels;
                                    })];
    }
  std::string chosen;
  const auto before = option_table().values(given), after = option_table().values(best);
  for (std::size_t k = 0; k < after.size(); ++k)
    if (before[k] != after[k])
      chosen += fmt::format("{}{}={}", chosen.empty() ? "" : ",", after[k].first, after[k].second);
  notices.push_back(fmt::format(
      "chosen {}: {}",
      tuning.usable() ? "on held-out rows" : "by default, as no row can be held out", chosen));
  return best;
}

Completion fit_transfer(const Problem& problem, const TransferOptions& given,
                        const RunOptions& run) {
  Completion completion;
  Strings notices;
  const TransferOptions options = choose_options(problem, given, run, notices);
  Fit fit = solve(problem, options, run.threads, run.progress);
  completion.kernels = std::move(fit.kernels);
  completion.uncertainty = std::move(fit.uncertainty);
  completion.relations = std::move(fit.weights);
  completion.info = std::move(fit.info);
  completion.info.notices = std::move(notices);
  return completion;
}

double working_bytes(Index n_samples, Index n_views) {
  return 8.0 * double(n_samples) * double(n_samples) * double(9 * n_views);
}

std::string obstacle(const Problem& problem) {
  return problem.n_views() < 2 ? "it predicts a view from the others, and there is only one" : "";
}

}  // namespace

Method transfer_method() {
  Method method = make_method(
      "every view from the others by kernel regression, round by round",
      "4 M N^3 per round, some 6 rounds; 40 times that at most 300 samples to choose options",
      "9 M N^2 doubles", option_table(), fit_transfer, working_bytes);
  method.obstacle = obstacle;
  return method;
}

Completion complete_transfer(const Problem& problem, const TransferOptions& options,
                             const RunOptions& run) {
  return complete(problem, format_spec({"transfer", option_table().values(options)}), run);
}

}  // namespace mkc
