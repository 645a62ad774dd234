#include "select/candidate_runs.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "methods/single_methods.hpp"
#include "mkc/base/error.hpp"
#include "select/candidate_progress.hpp"
#include "select/folds.hpp"
#include "select/screening.hpp"

namespace mkc {

namespace {

struct CandidateRun {
  HiddenAnswer answer;
  std::string spec;  // with the options the candidate chose
  double seconds = 0;
  std::string failure;
  bool done = false;
};

CandidateRun run_candidate(const Problem& truth, const HeldOut& copy, const std::string& spec,
                           const RunOptions& outer, std::size_t number, bool is_quick,
                           CandidateProgress& progress) {
  CandidateRun result;
  if (!progress.start_one(number)) return result;
  const Stopwatch watch;
  try {
    RunOptions run;
    run.seed = outer.seed;
    run.transforms = outer.transforms;
    run.threads = outer.threads;  // so that the longest candidate does not end up alone on one
    run.progress = [&](const Progress&) { return progress.go_on(); };
    const Completion completion = complete_single(copy.problem, spec, run);
    if (completion.info.status == Status::interrupted) return result;
    result.answer = hidden_answer(truth, copy, completion.kernels,
                                  completion.uncertainty ? &*completion.uncertainty : nullptr);
    result.spec = format_spec({completion.info.method, completion.info.parameters});
    result.done = true;
  } catch (const std::exception& error) {  // whatever stops one candidate does not stop the others
    result.failure = error.what();
  }
  result.seconds = watch.seconds();
  progress.finish_one(number, result.seconds, is_quick);
  return result;
}

// Candidates in the order in which to start them.
std::vector<std::size_t> longest_first(const StackPlan& plan) {
  std::vector<std::size_t> order(plan.candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!plan.costs.empty())
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return plan.costs[a] > plan.costs[b]; });
  return order;
}

std::vector<HeldOut> held_out_copies(const Problem& problem, const StackPlan& plan,
                                     std::uint64_t seed) {
  std::vector<HeldOut> copies;
  for (Index c = 0; c < plan.copies; ++c)
    copies.push_back(
        hide_rows(problem, plan.fraction, seed + 7919 * (static_cast<std::uint64_t>(c) + 1)));
  return copies;
}

// Whether both halves have enough hidden samples, to choose and to judge.
bool are_large_halves(const Problem& problem, const std::vector<HeldOut>& held_out) {
  constexpr Index fewest = 30;
  const std::vector<bool> judges = judging_half(problem.samples());
  std::set<Index> choosing, judging;
  for (const HeldOut& copy : held_out)
    for (const Indices& rows : copy.hidden)
      for (const Index i : rows) (judges[at(i)] ? judging : choosing).insert(i);
  return std::min(std::ssize(choosing), std::ssize(judging)) >= fewest;
}

/// All candidates on the copies. Those that turn out not to be needed are given up on the way:
///
/// 1. every candidate on the first copies, in its quick form where it has one;
/// 2. those with a quick form that may be needed again, with options chosen on the first copy;
/// 3. what may be needed on the other copies.
class Trials {
 public:
  Trials(const Problem& problem, const StackPlan& plan, const std::vector<HeldOut>& held_out,
         bool halves, const RunOptions& run, CandidateProgress& progress)
      : problem_(problem),
        plan_(plan),
        held_out_(held_out),
        halves_(halves),
        run_(run),
        progress_(progress),
        order_(longest_first(plan)),
        runs_(plan.candidates.size(), std::vector<CandidateRun>(held_out.size())),
        given_up_(plan.candidates.size()) {
    for (std::size_t k = 0; k < runs_.size(); ++k)
      in_full_.push_back(plan.quick.empty() || plan.quick[k].empty());
  }

  void run() {
    const std::size_t copies = held_out_.size(), first = copies > 3 ? copies / 4 : 1;
    run_first(order_, first);
    give_up(first);
    std::vector<std::size_t> again;
    for (const std::size_t k : order_)
      if (is_in(k) && !in_full_[k]) again.push_back(k);
    if (!again.empty()) {
      for (const std::size_t k : again) in_full_[k] = true;
      run_first(again, first);
      give_up(first);
    }
    run_copies(order_, first, copies);
  }

  CandidateRecord record(std::size_t k) const {
    const std::vector<CandidateRun>& runs = runs_[k];
    CandidateRecord record;
    record.spec = runs[0].done ? runs[0].spec : plan_.candidates[k];
    record.skipped = given_up_[k];
    for (const auto& run : runs) {
      record.seconds += run.seconds;
      if (record.skipped.empty()) record.skipped = run.failure;
    }
    if (record.skipped.empty() &&
        !std::all_of(runs.begin(), runs.end(), [](const CandidateRun& run) { return run.done; }))
      record.skipped = "interrupted";
    return record;
  }

  HiddenAnswer take_answer(std::size_t k, std::size_t copy) {
    return std::move(runs_[k][copy].answer);
  }

 private:
  bool is_in(std::size_t k) const { return runs_[k][0].done && given_up_[k].empty(); }

  void run_one(std::size_t k, std::size_t copy, const std::string& spec) {
    const double before = runs_[k][copy].seconds;
    runs_[k][copy] =
        run_candidate(problem_, held_out_[copy], spec, run_, k, !in_full_[k], progress_);
    runs_[k][copy].seconds += before;
  }

  // On the first copy, where options are chosen that the spec leaves open, then on the other first
  // ones.
  void run_first(const std::vector<std::size_t>& candidates, std::size_t first) {
    parallel_for(std::ssize(candidates), run_.threads, [&](Index c) {
      const std::size_t k = candidates[at(c)];
      run_one(k, 0, in_full_[k] ? plan_.candidates[k] : plan_.quick[k]);
    });
    for (const std::size_t k : candidates)
      if (!runs_[k][0].done) progress_.drop(k);
    run_copies(candidates, 1, first);
  }

  void run_copies(const std::vector<std::size_t>& candidates, std::size_t begin, std::size_t end) {
    parallel_for(static_cast<Index>(candidates.size() * (end - begin)), run_.threads,
                 [&](Index task) {
                   const std::size_t k = candidates[at(task) % candidates.size()];
                   if (is_in(k)) run_one(k, begin + at(task) / candidates.size(), runs_[k][0].spec);
                 });
  }

  // Those that do the same as an earlier one, and those without which the others are as good.
  void give_up(std::size_t copies) {
    for (std::size_t k = 0; k < runs_.size(); ++k)
      for (std::size_t j = 0; j < k && is_in(k); ++j)
        if (is_in(j) && runs_[j][0].spec == runs_[k][0].spec)
          give_up(k, fmt::format("same method and options as '{}'", plan_.candidates[j]));
    if (std::none_of(plan_.optional.begin(), plan_.optional.end(), std::identity())) return;
    if (progress_.stopped()) return;

    std::vector<std::size_t> tried;
    for (std::size_t k = 0; k < runs_.size(); ++k)
      if (is_in(k) && std::all_of(runs_[k].begin(), runs_[k].begin() + std::ptrdiff_t(copies),
                                  [](const CandidateRun& run) { return run.done; }))
        tried.push_back(k);
    std::vector<double> costs;
    for (const std::size_t k : tried) costs.push_back(plan_.optional[k] ? plan_.run_costs[k] : 0);
    std::vector<HiddenRow> rows = compare(tried, copies);
    if (halves_) std::erase_if(rows, [](const HiddenRow& row) { return row.judges; });
    const auto dropped = dispensable(rows, problem_.n_views(), problem_.n_samples(), costs);
    for (std::size_t c = 0; c < tried.size(); ++c)
      if (dropped[c]) give_up(tried[c], "not needed beside the others, by the first hidden rows");
  }

  void give_up(std::size_t k, std::string why) {
    given_up_[k] = std::move(why);
    progress_.drop(k);
  }

  std::vector<HiddenRow> compare(const std::vector<std::size_t>& candidates,
                                 std::size_t copies) const {
    std::vector<std::vector<HiddenAnswer>> answers(copies);
    for (std::size_t copy = 0; copy < copies; ++copy)
      for (const std::size_t k : candidates) answers[copy].push_back(runs_[k][copy].answer);
    return compare_hidden_rows(problem_,
                               {held_out_.begin(), held_out_.begin() + std::ptrdiff_t(copies)},
                               answers, halves_);
  }

  const Problem& problem_;
  const StackPlan& plan_;
  const std::vector<HeldOut>& held_out_;
  const bool halves_;  // options and candidates are chosen on one half of the samples
  const RunOptions& run_;
  CandidateProgress& progress_;
  const std::vector<std::size_t> order_;
  std::vector<std::vector<CandidateRun>> runs_;  // per candidate and copy
  std::vector<bool> in_full_;  // per candidate: it is not tried in its quick form any more
  Strings given_up_;           // per candidate: why, or ""
};

// The hidden rows as the finished candidates completed them, and the mean errors of each.
void compare_on_hidden_rows(const Problem& problem, const std::vector<HeldOut>& held_out,
                            bool halves, Trials& trials, CandidateRuns& result) {
  std::vector<std::vector<HiddenAnswer>> answers(held_out.size());
  for (std::size_t copy = 0; copy < held_out.size(); ++copy)
    for (const std::size_t k : result.finished)
      answers[copy].push_back(trials.take_answer(k, copy));
  result.rows = compare_hidden_rows(problem, held_out, answers, halves);
  for (std::size_t c = 0; c < result.finished.size(); ++c) {
    const auto i = static_cast<Index>(c);
    Vector errors(static_cast<Index>(result.rows.size()));
    for (Index t = 0; t < errors.size(); ++t)
      errors(t) = std::sqrt(std::max(0.0, result.rows[at(t)].residuals(i, i)));
    result.records[result.finished[c]].held_out_errors =
        mean_by_view(result.rows, errors, problem.n_views());
  }
}

CandidateRuns nothing_to_run(const StackPlan& plan) {
  CandidateRuns result;
  result.hidden = false;
  for (const auto& spec : plan.candidates) {
    result.records.emplace_back().spec = spec;
    result.records.back().skipped = "not tried: no row could be hidden";
  }
  return result;
}

}  // namespace

Vector mean_by_view(const std::vector<HiddenRow>& rows, const Vector& errors, Index n_views) {
  Vector sum = Vector::Zero(n_views), count = Vector::Zero(n_views);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (!rows[t].judges) continue;
    sum(rows[t].view) += errors(static_cast<Index>(t));
    count(rows[t].view) += 1;
  }
  return sum.cwiseQuotient(count);
}

Index judging_samples(const std::vector<HiddenRow>& rows) {
  std::set<Index> samples;
  for (const auto& row : rows)
    if (row.judges) samples.insert(row.sample);
  return std::ssize(samples);
}

CandidateRuns run_candidates(const Problem& problem, const StackPlan& plan, const RunOptions& run) {
  const std::vector<HeldOut> held_out = held_out_copies(problem, plan, run.seed);
  if (std::none_of(held_out.begin(), held_out.end(),
                   [](const HeldOut& copy) { return copy.hides_something(); }))
    return nothing_to_run(plan);

  CandidateProgress progress(run.progress, plan);
  const bool halves = plan.halves && are_large_halves(problem, held_out);
  Trials trials(problem, plan, held_out, halves, run, progress);
  trials.run();
  progress.rethrow();

  CandidateRuns result;
  result.interrupted = progress.stopped();
  for (std::size_t k = 0; k < plan.candidates.size(); ++k) {
    result.records.push_back(trials.record(k));
    if (result.records.back().skipped.empty()) result.finished.push_back(k);
  }
  if (!result.finished.empty()) compare_on_hidden_rows(problem, held_out, halves, trials, result);
  return result;
}

}  // namespace mkc
