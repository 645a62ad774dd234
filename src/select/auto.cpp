#include "select/auto.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/text.hpp"
#include "methods/make_method.hpp"
#include "mkc/base/error.hpp"
#include "select/stacking.hpp"

namespace mkc {

namespace {

std::string checked_names(const std::string& option, const std::string& text) {
  if (text == "all") return text;
  for (const auto& name : split(text, '+')) {
    if (name == "auto")
      throw OptionError(fmt::format("{}: 'auto' cannot be its own candidate", option));
    named_candidate(name, 1, 1, 1);
  }
  return text;
}

// Those that were asked for, or those that fit the budget.
std::vector<Candidate> candidates_of(const AutoOptions& options, Index n_samples, Index n_views,
                                     Index copies) {
  if (options.candidates == "all")
    return affordable_candidates(n_samples, n_views, copies, options.budget);
  std::vector<Candidate> named;
  for (const auto& name : split(options.candidates, '+'))
    named.push_back(named_candidate(name, n_samples, n_views, copies));
  return named;
}

std::vector<CandidateRecord> over_budget(const Strings& names) {
  std::vector<CandidateRecord> skipped;
  for (const auto& candidate :
       affordable_candidates(1, 1, 1, std::numeric_limits<double>::infinity()))
    if (std::find(names.begin(), names.end(), candidate.name) == names.end()) {
      CandidateRecord record;
      record.spec = candidate.name;
      record.skipped = "over the budget";
      skipped.push_back(std::move(record));
    }
  return skipped;
}

// The names of those that took part: with these and the budget a run gives the same result again.
// All where none did, because nothing is missing or nothing was finished.
std::string used(const Strings& names, const std::vector<CandidateRecord>& records) {
  Strings finished;
  for (std::size_t k = 0; k < names.size() && k < records.size(); ++k)
    if (records[k].skipped.empty()) finished.push_back(names[k]);
  return join(finished.empty() ? names : finished, "+");
}

// The candidate alone that had the smallest mean error over the views.
const CandidateRecord* best_alone(const std::vector<CandidateRecord>& records) {
  const CandidateRecord* best = nullptr;
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& record : records) {
    const auto& errors = record.held_out_errors;
    if (errors.array().isNaN().all()) continue;  // not compared
    const double sum = errors.array().isNaN().select(0, errors).sum();
    if (sum < smallest) {
      smallest = sum;
      best = &record;
    }
  }
  return best;
}

Completion fit_auto(const Problem& problem, const AutoOptions& options, const RunOptions& run) {
  StackPlan plan = plan_for(problem.n_samples(), {});
  Strings names;
  for (const auto& candidate :
       candidates_of(options, problem.n_samples(), problem.n_views(), plan.copies)) {
    names.push_back(candidate.name);
    plan.candidates.push_back(candidate.spec);
    plan.quick.push_back(options.candidates == "all" ? candidate.quick : "");
    plan.optional.push_back(options.candidates == "all" && !candidate.always);
    plan.costs.push_back(candidate.gigaflops / gigaflops_per_second);
    plan.run_costs.push_back(candidate.gigaflops_of_run / gigaflops_per_second);
  }
  std::vector<CandidateRecord> skipped;
  if (options.candidates == "all") skipped = over_budget(names);
  Completion completion = complete_stacked(problem, plan, run);
  completion.info.parameters = {{"budget", detail::from_number(options.budget)},
                                {"candidates", used(names, completion.candidates)}};
  if (const CandidateRecord* best = best_alone(completion.candidates))
    completion.info.notices.push_back(
        fmt::format("best single candidate: repeat it alone with the method '{}'", best->spec));
  std::move(skipped.begin(), skipped.end(), std::back_inserter(completion.candidates));
  return completion;
}

OptionTable<AutoOptions> option_table() {
  OptionTable<AutoOptions> table("auto");
  table
      .number("budget", &AutoOptions::budget, 0, std::numeric_limits<double>::infinity(),
              "nominal seconds on one core: which candidates are tried; larger: also slow ones")
      .custom("candidates", &AutoOptions::candidates, "all or NAME+NAME+...",
              "methods to try; all: those that fit the budget", checked_names,
              [](const std::string& text) { return text; });
  return table;
}

double working_bytes(Index n_samples, Index n_views, int threads) {
  return auto_bytes({}, n_samples, n_views, threads);
}

}  // namespace

double auto_bytes(const OptionValues& options, Index n_samples, Index n_views, int threads) {
  Strings specs;
  for (const auto& candidate : candidates_of(option_table().parse(options), n_samples, n_views,
                                             plan_for(n_samples, {}).copies))
    specs.push_back(candidate.spec);
  return stacked_bytes(n_samples, n_views, threads, specs);
}

Method auto_method() {
  Method method = make_method(
      "the other methods tried on hidden rows and combined, with error estimates",
      "that of its candidates, several times",
      "some M N^2 doubles per held-out copy, and the largest candidates, one per thread",
      option_table(), fit_auto, working_bytes);
  method.transforms_itself = true;
  return method;
}

}  // namespace mkc
