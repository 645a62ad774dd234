#include "select/stacking.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "base/text.hpp"
#include "methods/run_method.hpp"
#include "methods/single_methods.hpp"
#include "mkc/base/error.hpp"
#include "select/auto.hpp"
#include "select/candidate_runs.hpp"
#include "select/conformal.hpp"
#include "select/missingness.hpp"
#include "select/mixture.hpp"
#include "select/neighbours.hpp"
#include "select/view_figures.hpp"
#include "select/weights.hpp"

namespace mkc {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr double rounding = 1e-12;
constexpr Index fewest_hidden = 5;  // samples: fewer allow no estimate for others

// How far candidates disagree on a row: sum_c w_c |k_c|^2 / |sum_c w_c k_c|^2 - 1, 0 where a single
// one has all the weight.
double disagreement(double squares, double square) {
  const double spread = squares / square - 1;
  return spread > rounding ? spread : 0;
}

// Spread and own variance of a hidden row completed with weights w; unknown where the completed row
// is zero, to which nothing is relative.
RowSignals signals_of(const HiddenRow& row, const Vector& w, double usual) {
  const double norm2 = w.dot(row.estimates * w);
  RowSignals signals{row.view, row.sample, row.observed_views};
  if (norm2 <= rounding) return signals;
  double variance = 0, known = 0;
  for (Index c = 0; c < w.size(); ++c)
    if (w(c) > 0 && !std::isnan(row.variances(c))) {
      variance += w(c) * row.variances(c);
      known += w(c);
    }
  signals.spread = disagreement(w.dot(row.estimates.diagonal()), norm2);
  signals.variance = known > 0 ? variance / known / norm2 : 0;
  signals.size = norm2 * row.norm2 / usual;
  return signals;
}

// Mean squared norm of the observed rows of a view, as if they had an entry for every sample.
double usual_norm2(const Problem& problem, Index m) {
  const auto n = static_cast<double>(problem.view(m).rows.size());
  return problem.view(m).block.squaredNorm() / n * static_cast<double>(problem.n_samples()) / n;
}

// Intervals from the hidden rows. A row's error is that of weights fitted without its sample. Its
// signals are those of the final weights, as for the missing rows: other weights would give another
// spread.
ConformalErrors calibrated_on_hidden_rows(const Problem& problem, const CandidateRuns& runs,
                                          const Stack& stack, const Folds& folds,
                                          const std::vector<Missingness>& missingness,
                                          const Matrix& distances, double margin) {
  std::vector<RowSignals> signals;
  Vector usual(problem.n_views());
  for (Index m = 0; m < usual.size(); ++m) usual(m) = usual_norm2(problem, m);
  Vector errors(stack.errors.size());
  for (std::size_t t = 0; t < runs.rows.size(); ++t) {
    const HiddenRow& row = runs.rows[t];
    signals.push_back(signals_of(row, stack.weights.col(row.view), usual(row.view)));
    signals.back().distance = std::exp(mean_over(distances, row.sample, row.sources));
    signals.back().odds = missingness[at(row.view)].odds(row.sample);
    errors(static_cast<Index>(t)) = drawn_error(row, stack.row_weights.col(static_cast<Index>(t)));
  }
  return ConformalErrors(signals, errors, stack.weights.cols(), 0.9, margin, folds);
}

// A copy knows fewer rows than the problem, and errors fall as n^-rate: (visible / observed
// rows)^rate per view, by which missing rows may err less than hidden ones.
Vector gain_of_rows(const Problem& problem, const CandidateRuns& runs, const StackPlan& plan) {
  Vector hidden = Vector::Zero(problem.n_views());
  for (const auto& row : runs.rows) hidden(row.view) += 1.0 / static_cast<double>(plan.copies);
  Vector gain(problem.n_views());
  for (Index m = 0; m < gain.size(); ++m)
    gain(m) = std::pow(1 - hidden(m) / static_cast<double>(problem.view(m).rows.size()), plan.rate);
  return gain;
}

Quality quality_of(const Problem& problem, const CandidateRuns& runs, const Stack& stack,
                   const Folds& folds, const Mixture& mixture, const StackPlan& plan) {
  const Index N = problem.n_samples(), M = problem.n_views();
  const Matrix distances = neighbour_distances(problem);
  const std::vector<Missingness> missingness = model_missingness(problem, distances);
  const ConformalErrors conformal =
      calibrated_on_hidden_rows(problem, runs, stack, folds, missingness, distances, plan.margin);
  const Vector gain = gain_of_rows(problem, runs, plan);
  Quality quality;
  quality.error = quality.low = quality.high = Matrix::Constant(N, M, nan);
  quality.coverage = conformal.coverage();
  quality.hidden_rows =
      std::count_if(runs.rows.begin(), runs.rows.end(), [](const auto& row) { return row.judges; });
  quality.hidden_samples = judging_samples(runs.rows);
  quality.held_out_errors = mean_by_view(runs.rows, stack.errors, M);
  quality.mean_of_others_errors = Vector::Constant(M, nan);
  for (const std::size_t k : runs.finished)
    if (parse_spec(runs.records[k].spec).name == "mean")
      quality.mean_of_others_errors = runs.records[k].held_out_errors;
  for (Index m = 0; m < M; ++m) {
    const double usual = usual_norm2(problem, m);
    for (const Index t : problem.missing(m)) {
      RowSignals row{m, t, problem.observed().row(t).count()};
      row.odds = missingness[at(m)].odds(t);
      row.distance = std::exp(mean_over(distances, t, other_views(problem.observed(), t, m)));
      const double norm2 = mixture.kernels[at(m)].col(t).squaredNorm(), known = mixture.known(t, m);
      if (norm2 > rounding * usual) {
        row.spread = disagreement(mixture.squares(t, m), norm2);
        row.variance = known > 0 ? mixture.variance(t, m) / known / norm2 : 0;
        row.size = norm2 / usual;
      }
      const ErrorEstimate estimate = conformal.estimate(row);
      quality.error(t, m) = estimate.error;
      quality.low(t, m) = gain(m) * estimate.low;
      quality.high(t, m) = estimate.high;
    }
  }
  judge_views(runs.rows, stack, quality);
  describe_missingness(missingness, runs.rows, stack, quality);
  quality.split_conformal = folds.judged.size() == 1;
  return quality;
}

// A view counts as its mean where the mean of the other views has (almost) all the weight.
std::vector<JudgedView> judged_views(const Problem& problem, const CandidateRuns& runs,
                                     const Matrix& weights) {
  constexpr double almost_all = 0.99;
  std::vector<JudgedView> views;
  for (Index m = 0; m < problem.n_views(); ++m)
    views.push_back({problem.view(m).name, problem.complete(m), false});
  for (std::size_t c = 0; c < runs.finished.size(); ++c)
    if (parse_spec(runs.records[runs.finished[c]].spec).name == "mean")
      for (Index m = 0; m < weights.cols(); ++m)
        if (weights(static_cast<Index>(c), m) > almost_all) views[at(m)].is_mean = true;
  return views;
}

void append(Strings more, Strings& list) {
  std::move(more.begin(), more.end(), std::back_inserter(list));
}

Stack only_first(const CandidateRuns& runs, Index n_views) {
  Stack stack;
  const Index candidates = runs.rows.front().residuals.rows();
  stack.weights = Vector::Unit(candidates, 0).replicate(1, n_views);
  stack.row_weights =
      Vector::Unit(candidates, 0).replicate(1, static_cast<Index>(runs.rows.size()));
  stack.errors.resize(static_cast<Index>(runs.rows.size()));
  for (std::size_t t = 0; t < runs.rows.size(); ++t)
    stack.errors(static_cast<Index>(t)) = relative_error(runs.rows[t], stack.row_weights.col(0));
  return stack;
}

std::string why_not_compared(const StackPlan& plan, const CandidateRuns& runs) {
  if (runs.interrupted) return "interrupted before candidates could be compared";
  if (plan.first_only && runs.hidden && !runs.records[0].skipped.empty())
    return fmt::format("it cannot complete the copies with hidden rows ({})",
                       runs.records[0].skipped);
  return "too few rows to hide some and learn from them";
}

// The candidates' own variances, weighted; nothing where none has any.
std::optional<Matrix> mean_variance(const Mixture& mixture) {
  if (!(mixture.known.maxCoeff() > 0)) return {};
  return (mixture.known.array() > 0)
      .select(mixture.variance.array() / mixture.known.array(), 0)
      .matrix();
}

std::vector<CandidateRecord> with_weights(CandidateRuns& runs, const Stack& stack) {
  for (auto& record : runs.records) record.weights = Vector::Zero(stack.weights.cols());
  for (std::size_t c = 0; c < runs.finished.size(); ++c)
    runs.records[runs.finished[c]].weights = stack.weights.row(static_cast<Index>(c));
  return std::move(runs.records);
}

// Nothing could be learnt from hidden rows: the first candidate that runs (or the only one asked
// for), without error estimates.
Completion without_comparison(const Problem& problem, const StackPlan& plan, CandidateRuns runs,
                              const RunOptions& run) {
  const std::string why = why_not_compared(plan, runs);
  std::string failure;
  for (std::size_t k = 0; k < (plan.first_only ? 1 : plan.candidates.size()); ++k) {
    try {
      Completion completion = complete_single(problem, plan.candidates[k], run);
      runs.records[k].spec = format_spec({completion.info.method, completion.info.parameters});
      runs.records[k].weights = Vector::Ones(problem.n_views());
      runs.records[k].skipped.clear();
      completion.candidates = std::move(runs.records);
      completion.info.warnings.push_back(fmt::format(
          "{}: completed with '{}', errors are not estimated", why, plan.candidates[k]));
      if (runs.interrupted) completion.info.status = Status::interrupted;
      return completion;
    } catch (const std::exception& error) {
      if (plan.first_only) throw;
      if (failure.empty()) failure = error.what();
    }
  }
  throw InputError("no candidate can run: " + failure);
}

}  // namespace

StackPlan plan_for(Index n_samples, Strings candidates) {
  const Index N = n_samples;
  StackPlan plan;
  plan.candidates = std::move(candidates);
  plan.copies = N <= 60 ? 16 : N <= 120 ? 8 : N <= 300 ? 3 : 1;
  plan.halves = N > 300;
  // The more is hidden, the larger the errors are than those of the whole problem: as little as
  // leaves enough rows to judge by.
  plan.fraction = N <= 60 ? 0.10 : 0.15;
  // Strata of a few hundred rows determine their tails poorly, and errors fall with more rows, at a
  // rate between n^0 and n^-1/2. In small problems single hidden rows vary more than missing ones
  // (HiddenRow::drawn), which is margin enough.
  plan.margin = plan.rate = N <= 300 ? 0 : 0.25;
  return plan;
}

Completion complete_stacked(const Problem& problem, const StackPlan& plan, const RunOptions& run) {
  const Index M = problem.n_views();
  CandidateRuns runs = run_candidates(problem, plan, run);
  const bool first_failed =
      plan.first_only && (runs.finished.empty() || runs.finished.front() != 0);
  if (runs.rows.empty() || first_failed)
    return without_comparison(problem, plan, std::move(runs), run);
  const Folds folds = folds_of(runs.rows, problem.samples());
  const Stack stack = plan.first_only ? only_first(runs, M) : choose_stack(runs.rows, M, folds);
  Strings specs;
  for (const std::size_t k : runs.finished) specs.push_back(runs.records[k].spec);
  if (plan.first_only) specs[0] = plan.candidates[0];  // chooses its options on the whole problem
  Mixture mixture =
      mix_candidates(problem, specs, stack.weights, trial_seconds(runs, plan.copies), run);

  Completion completion;
  if (mixture.info.status == Status::interrupted)
    mixture.info.warnings.emplace_back("interrupted: errors are not estimated");
  else if (const Index samples = judging_samples(runs.rows); samples < fewest_hidden)
    mixture.info.warnings.push_back(
        fmt::format("rows of {} sample{} only could be hidden: errors are not estimated", samples,
                    samples == 1 ? "" : "s"));
  else
    completion.quality = quality_of(problem, runs, stack, folds, mixture, plan);
  if (completion.quality) {
    append(warnings_about_views(judged_views(problem, runs, stack.weights), *completion.quality),
           mixture.info.warnings);
    append(warnings_about_missingness(problem, *completion.quality), mixture.info.warnings);
    append(notices_about_rows(problem, *completion.quality), mixture.info.notices);
  }
  completion.uncertainty = mean_variance(mixture);
  completion.kernels = std::move(mixture.kernels);
  completion.relations = std::move(mixture.relations);
  completion.candidates = with_weights(runs, stack);
  completion.info = std::move(mixture.info);
  if (runs.interrupted) completion.info.status = Status::interrupted;
  if (!plan.first_only)
    completion.info.notices.push_back(
        fmt::format("chosen on hidden rows: {}", stack_rule_name(stack.rule)));
  return completion;
}

// Held-out copies, the hidden rows as every candidate completed them and the sum; and the largest
// candidates that can run at the same time, which share the threads.
double stacked_bytes(Index n_samples, Index n_views, int threads, const Strings& candidates) {
  const StackPlan plan = plan_for(n_samples, {});
  const double kernels = 8.0 * double(n_views) * double(n_samples) * double(n_samples);
  std::vector<double> runs;  // one candidate may work on all copies but the first at a time
  const Index copies = std::max<Index>(1, plan.copies - 1);
  const auto together = std::clamp<std::ptrdiff_t>(threads, 1, std::ssize(candidates) * copies);
  const int own_threads = std::max(1, threads / static_cast<int>(together));
  for (const auto& spec : candidates) {
    const Method& method = find_method_in(single_methods(), parse_spec(spec).name);
    runs.insert(runs.end(), at(copies),
                kernels + method.working_bytes(n_samples, n_views, own_threads));
  }
  std::partial_sort(runs.begin(), runs.begin() + together, runs.end(), std::greater<>());
  const double hidden = double(plan.copies) * plan.fraction * double(candidates.size());
  return (double(plan.copies) + hidden + 1) * kernels +
         std::accumulate(runs.begin(), runs.begin() + together, 0.0);
}

double judged_bytes(Index n_samples, Index n_views, int threads, const std::string& method) {
  return stacked_bytes(n_samples, n_views, threads, {method, "mean"});
}

Completion complete_judged(const Problem& problem, const std::string& method,
                           const RunOptions& run) {
  if (problem.indefinite())
    return with_given_blocks(problem, complete_judged(problem.nearest_psd(), method, run), run);
  StackPlan plan = plan_for(problem.n_samples(), {method});
  if (parse_spec(method).name != "mean") plan.candidates.emplace_back("mean");
  for (const auto& spec : plan.candidates) {
    const Candidate candidate =
        named_candidate(parse_spec(spec).name, problem.n_samples(), problem.n_views(), plan.copies);
    plan.costs.push_back(candidate.gigaflops / gigaflops_per_second);
    plan.run_costs.push_back(candidate.gigaflops_of_run / gigaflops_per_second);
  }
  plan.first_only = true;
  Completion completion = complete_stacked(problem, plan, run);
  completion.candidates.clear();  // there was no choice
  return completion;
}

}  // namespace mkc
