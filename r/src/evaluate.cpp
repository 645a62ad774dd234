#include "evaluate/trial_run.hpp"
#include "functions.hpp"
#include "mkc/base/error.hpp"
#include "mkc/evaluate/summary.hpp"
#include "problem.hpp"
#include "values.hpp"
#include "watch.hpp"

namespace mkc::r {

namespace {

EvaluatePlan plan_of(const cpp11::list& given) {
  EvaluatePlan plan;
  plan.methods = strings_of(given["methods"]);
  plan.mechanism = mechanism_of("mechanism", text_of(given["mechanism"]));
  plan.fraction = cpp11::as_cpp<double>(given["fraction"]);
  plan.views_missing = cpp11::as_cpp<int>(given["views_missing"]);
  plan.repeats = cpp11::as_cpp<int>(given["repeats"]);
  plan.quality = flag_of(given["quality"]);
  plan.seed = seed_of(given["seed"]);
  return plan;
}

cpp11::sexp summary_table(const std::vector<FinishedTrial>& trials) {
  const std::vector<MethodSummary> methods = summarize(trials);
  List list;
  list.add("method", column(methods, [](const auto& m) { return m.method; }))
      .add("error", column(methods, [](const auto& m) { return m.are.mean; }))
      .add("error_sd", column(methods, [](const auto& m) { return m.are.deviation; }))
      .add("average_row_error", column(methods, [](const auto& m) { return m.average_row; }))
      .add("recovered", column(methods, [](const auto& m) { return m.recovered.mean; }))
      .add("alignment", column(methods, [](const auto& m) { return m.alignment.mean; }))
      .add("rmse", column(methods, [](const auto& m) { return m.rmse.mean; }))
      .add("coverage", column(methods, [](const auto& m) { return m.coverage; }))
      .add("seconds", column(methods, [](const auto& m) { return m.seconds; }))
      .add("failure", column(methods, [](const auto& m) { return m.failure; }));
  return static_cast<SEXP>(list);
}

/// One line per trial and view.
cpp11::sexp trial_table(const Problem& problem, const std::vector<FinishedTrial>& trials) {
  struct Line {
    const FinishedTrial* trial;
    Index view;
    const ViewScores* scores;
  };
  std::vector<Line> lines;
  for (const auto& trial : trials)
    for (Index m = 0; m < static_cast<Index>(trial.result.views.size()); ++m)
      lines.push_back({&trial, m, &trial.result.views[at(m)]});
  List list;
  list.add("method", column(lines, [](const Line& l) { return l.trial->plan.method; }))
      .add("repeat", column(lines, [](const Line& l) { return l.trial->plan.repeat; }))
      .add("view", column(lines, [&](const Line& l) { return problem.view(l.view).name; }))
      .add("hidden_rows", column(lines, [](const Line& l) { return l.scores->hidden_rows; }));
  for (const auto& [name, field] : view_score_fields) {
    const auto score = field;
    list.add(name, column(lines, [&](const Line& l) { return l.scores->*score; }));
  }
  list.add("seconds", column(lines, [](const Line& l) { return l.trial->result.seconds; }))
      .add("status", column(lines, [](const Line& l) { return l.trial->result.status; }));
  return static_cast<SEXP>(list);
}

/// The phase says which trial it is.
ProgressCallback of_trial(const ProgressCallback& progress, std::size_t number,
                          std::size_t trials) {
  const std::string place = std::to_string(number + 1) + " of " + std::to_string(trials) + ": ";
  return [progress, place](const Progress& now) {
    Progress placed = now;
    placed.phase = place + now.phase;
    return progress(placed);
  };
}

}  // namespace

SEXP evaluate_methods(SEXP pointer, SEXP given_plan, SEXP threads, SEXP callback) {
  const Assembled& assembled = problem_of(pointer);
  const EvaluatePlan plan = plan_of(cpp11::list(given_plan));
  const std::vector<TrialPlan> trials = plan_trials(plan, assembled.problem, nullptr);
  RunOptions run;
  run.threads = cpp11::as_cpp<int>(threads);
  run.transforms = assembled.transforms;
  std::vector<FinishedTrial> finished;
  watched(callback, [&](const ProgressCallback& progress) {
    for (std::size_t t = 0; t < trials.size(); ++t) {
      run.progress = of_trial(progress, t, trials.size());
      TrialResult result = run_scored_trial(assembled.problem, trials[t], plan, run);
      if (result.interrupted) return;
      finished.push_back({trials[t], std::move(result)});
    }
  });
  if (finished.empty()) throw InterruptedError("stopped before the first trial was finished");
  List list;
  list.add("summary", summary_table(finished))
      .add("trials", trial_table(assembled.problem, finished))
      .add("finished", static_cast<Index>(finished.size()))
      .add("planned", static_cast<Index>(trials.size()));
  return list;
}

}  // namespace mkc::r
