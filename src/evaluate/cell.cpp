#include "mkc/evaluate/cell.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mkc/complete.hpp"
#include "mkc/base/error.hpp"
#include "base/random.hpp"
#include "base/stopwatch.hpp"

namespace mkc {

namespace {

// Seeds of repeats do not touch those that methods derive from the plan's seed.
std::uint64_t seed_of(const EvaluatePlan& plan, Index repeat, const char* purpose) {
  return Random(plan.seed, purpose, std::to_string(repeat)).next();
}

// Labels are scored on the problem as it is (repeat 0), in the folds of every repeat, or on a copy,
// in its own folds.
template <class Score>
void add_label_scores(const CellPlan& cell, const EvaluatePlan& plan, const Score& score,
                      CellResult& result) {
  const Index first = cell.repeat == 0 ? 1 : cell.repeat;
  const Index last = cell.repeat == 0 ? plan.repeats : cell.repeat;
  for (Index repeat = first; repeat <= last; ++repeat)
    for (auto& scores : score(seed_of(plan, repeat, "folds")))
      result.labels.push_back({repeat, std::move(scores)});
}

CellResult run_complete_cases(const Problem& visible, const CellPlan& cell,
                              const EvaluatePlan& plan, const Labels& labels) {
  CellResult result;
  result.spec = complete_cases;
  result.status = status_name(Status::converged);
  result.peak_mib = std::numeric_limits<double>::quiet_NaN();
  add_label_scores(
      cell, plan, [&](std::uint64_t seed) { return complete_case_scores(visible, labels, seed); },
      result);
  return result;
}

HeldOut nothing_hidden(const Problem& problem) {
  return {problem, std::vector<Indices>(static_cast<std::size_t>(problem.n_views()))};
}

}  // namespace

std::vector<CellPlan> plan_cells(const EvaluatePlan& plan, const Problem& problem,
                                 const Labels* labels) {
  if (plan.mechanism == Mechanism::pattern && problem.nothing_missing())
    throw InputError("nothing is missing, so there is no pattern in which to hide rows",
                     {{"mechanism", "mcar", "hides rows at random"}});
  if (problem.n_views() < 2)
    throw InputError("there is one view only: rows that are hidden cannot be completed",
                     "give two views or more");
  Strings methods;
  const auto add = [&](const std::string& spec) {
    if (std::find(methods.begin(), methods.end(), spec) == methods.end()) methods.push_back(spec);
  };
  for (const char* baseline : {"mean", "knn"}) add(baseline);
  for (const auto& spec : plan.methods) add(spec);

  const bool on_copies = problem.nothing_missing();
  std::vector<CellPlan> cells;
  for (Index repeat = 1; repeat <= plan.repeats; ++repeat)
    for (const auto& spec : methods)
      cells.push_back({spec, repeat, labels != nullptr && on_copies});
  if (labels == nullptr) return cells;
  if (on_copies) {
    for (Index repeat = 1; repeat <= plan.repeats; ++repeat)
      cells.push_back({complete_cases, repeat, true});
  } else {
    for (const auto& spec : methods) cells.push_back({spec, 0, true});
    cells.push_back({complete_cases, 0, true});
  }
  return cells;
}

HeldOut hidden_copy(const Problem& problem, const EvaluatePlan& plan, Index repeat) {
  if (repeat == 0) return nothing_hidden(problem);
  const std::uint64_t seed = seed_of(plan, repeat, "hide");
  return plan.mechanism == Mechanism::pattern
             ? hide_rows(problem, plan.fraction, seed)
             : hide_at_random(problem, plan.fraction, plan.views_missing, seed);
}

Completion complete_cell(const Problem& visible, const CellPlan& cell, const EvaluatePlan& plan,
                         const RunOptions& run) {
  RunOptions inner = run;
  inner.seed = plan.seed;
  inner.fitted = false;
  // intervals of the problem as it is cannot be checked: nothing is known of its missing rows
  return plan.quality && cell.repeat > 0 ? complete_with_quality(visible, cell.method, inner)
                                         : complete(visible, cell.method, inner);
}

void describe_run(const Info& info, CellResult& result) {
  result.interrupted = info.status == Status::interrupted;
  result.spec = format_spec({info.method, info.parameters});
  result.status = status_name(info.status);
}

CellResult run_cell(const Problem& problem, const CellPlan& cell, const EvaluatePlan& plan,
                    const Labels* labels, const RunOptions& run,
                    const std::function<double()>& peak_mib) {
  CellResult result;
  result.spec = cell.method;
  try {
    const HeldOut copy = hidden_copy(problem, plan, cell.repeat);
    if (cell.method == complete_cases) return run_complete_cases(copy.problem, cell, plan, *labels);
    const Stopwatch watch;
    const Completion completion = complete_cell(copy.problem, cell, plan, run);
    result.seconds = watch.seconds();
    result.peak_mib = peak_mib ? peak_mib() : std::numeric_limits<double>::quiet_NaN();
    describe_run(completion.info, result);
    if (result.interrupted) return result;
    if (cell.repeat > 0) result.views = score_hidden_rows(problem, copy, completion);
    if (cell.labels)
      add_label_scores(
          cell, plan,
          [&](std::uint64_t seed) {
            return label_scores(copy.problem, completion.kernels, *labels, seed);
          },
          result);
  } catch (const InputError& error) {
    result.failure = error.what();
    result.status = "failed";
  }
  return result;
}

}  // namespace mkc
