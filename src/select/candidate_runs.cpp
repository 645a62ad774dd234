#include "select/candidate_runs.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "base/stopwatch.hpp"
#include "methods/single_methods.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

namespace {

// Reports to the caller how much is done, from any thread, and asks whether to stop. A candidate
// runs on every copy and then, in step 4, on the problem.
class CandidateProgress {
 public:
  CandidateProgress(const ProgressCallback& callback, const StackPlan& plan)
      : callback_(callback), copies_(plan.copies), has_costs_(!plan.costs.empty()) {
    for (std::size_t k = 0; k < plan.candidates.size(); ++k)
      if (plan.costs.empty())
        work_.push_back({1, 1});
      else
        work_.push_back(
            {plan.costs[k] - static_cast<double>(copies_) * plan.run_costs[k], plan.run_costs[k]});
  }

  bool go_on() {
    const std::lock_guard lock(mutex_);
    constexpr double no_objective = std::numeric_limits<double>::quiet_NaN();
    try {
      if (!stopped_ && callback_ &&
          !callback_({"trying candidates", done_, copies_ * std::ssize(work_), no_objective, 0, 0,
                      share()}))
        stopped_ = true;
    } catch (...) {  // no failure of the candidate that happened to ask
      raised_ = std::current_exception();
      stopped_ = true;
    }
    return !stopped_;
  }
  bool start_one(std::size_t candidate) {
    {
      const std::lock_guard lock(mutex_);
      ++work_[candidate].running;
      work_[candidate].started += clock_.seconds();
    }
    return go_on();
  }
  bool finish_one(std::size_t candidate, double seconds) {
    {
      const std::lock_guard lock(mutex_);
      Work& work = work_[candidate];
      --work.running;
      work.started -= clock_.seconds() - seconds;
      ++done_;
      ++work.runs;
      work.seconds += seconds;
    }
    return go_on();
  }
  /// It is not run any more.
  void drop(std::size_t candidate) {
    const std::lock_guard lock(mutex_);
    work_[candidate].dropped = true;
  }
  bool stopped() const { return stopped_; }
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  struct Work {
    double first_cost;  // of the first run, which also chooses the options
    double next_cost;   // of every further run
    Index runs = 0;     // finished
    double seconds = 0;
    double running = 0;  // runs under way
    double started = 0;  // sum of the times at which these started
    bool dropped = false;

    double cost_of(double n_runs) const {
      return n_runs > 0 ? first_cost + (n_runs - 1) * next_cost : 0;
    }
    double done() const { return cost_of(static_cast<double>(runs)); }
    double under_way(double now) const { return running * now - started; }
  };

  // Seconds for a cost of one. Before the first run has finished: those of a nominal core, or of
  // the runs under way if they already take longer.
  double usual_seconds(double now) const {
    double seconds = 0, cost = 0, slowest = 1;
    for (const Work& work : work_) {
      seconds += work.seconds;
      cost += work.done();
      if (work.running > 0 && work.first_cost > 0)
        slowest = std::max(slowest, work.under_way(now) / work.first_cost);
    }
    if (cost > 0) return seconds / cost;
    return has_costs_ ? slowest : 0;
  }

  // What is left takes as many seconds for its cost as the candidate's own runs did, or all.
  double share() const {
    constexpr double used_in_the_end = 0.5;  // of the candidates, about
    const double now = clock_.seconds(), usual = usual_seconds(now);
    if (!(usual > 0)) return share_at_start;
    double left = 0, spent = 0;
    for (const Work& work : work_) {
      const double done = work.done();
      const double all = work.cost_of(static_cast<double>(copies_) + used_in_the_end);
      const double under_way = work.under_way(now);
      const double each = done > 0 ? work.seconds / done : usual;
      spent += work.seconds + under_way;
      if (!work.dropped) left += std::max(0.0, (all - done) * each - under_way);
    }
    return std::max(share_at_start, spent / (spent + left));
  }

  static constexpr double share_at_start = 1e-9;  // known from now on
  const ProgressCallback& callback_;
  const Index copies_;
  const bool has_costs_;
  const Stopwatch clock_;
  std::vector<Work> work_;  // per candidate
  std::mutex mutex_;
  Index done_ = 0;
  std::atomic<bool> stopped_ = false;
  std::exception_ptr raised_;  // by the callback
};

struct CandidateRun {
  HiddenAnswer answer;
  std::string spec;  // with the options the candidate chose
  double seconds = 0;
  std::string failure;
  bool done = false;
};

CandidateRun run_candidate(const Problem& truth, const HeldOut& copy, const std::string& spec,
                           const RunOptions& outer, std::size_t number,
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
  progress.finish_one(number, result.seconds);
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

// The candidate before this one that chose the same method and options, if there is one: it would
// only do the same again.
std::optional<std::size_t> same_before(const std::vector<std::vector<CandidateRun>>& runs,
                                       std::size_t k) {
  for (std::size_t j = 0; j < k; ++j)
    if (runs[j][0].done && runs[j][0].spec == runs[k][0].spec) return j;
  return std::nullopt;
}

std::vector<HeldOut> held_out_copies(const Problem& problem, const StackPlan& plan,
                                     std::uint64_t seed) {
  std::vector<HeldOut> copies;
  for (Index c = 0; c < plan.copies; ++c)
    copies.push_back(
        hide_rows(problem, plan.fraction, seed + 7919 * (static_cast<std::uint64_t>(c) + 1)));
  return copies;
}

/// runs[candidate][copy], and for each candidate an earlier one that chose the same.
struct RunTable {
  std::vector<std::vector<CandidateRun>> runs;
  std::vector<std::optional<std::size_t>> same;
};

// All candidates on the first copy, where they choose options; then, with these options, on the
// others.
RunTable run_all(const Problem& problem, const StackPlan& plan,
                 const std::vector<HeldOut>& held_out, const RunOptions& run,
                 CandidateProgress& progress) {
  const std::size_t candidates = plan.candidates.size(), copies = held_out.size();
  const std::vector<std::size_t> order = longest_first(plan);
  RunTable table{{candidates, std::vector<CandidateRun>(copies)}, {}};
  auto& runs = table.runs;
  parallel_for(static_cast<Index>(candidates), run.threads, [&](Index c) {
    const std::size_t k = order[at(c)];
    runs[k][0] = run_candidate(problem, held_out[0], plan.candidates[k], run, k, progress);
  });
  for (std::size_t k = 0; k < candidates; ++k) {
    table.same.push_back(same_before(runs, k));
    if (!runs[k][0].done || table.same[k]) progress.drop(k);
  }
  parallel_for(static_cast<Index>(candidates * (copies - 1)), run.threads, [&](Index task) {
    const std::size_t k = order[at(task) % candidates], copy = 1 + at(task) / candidates;
    if (runs[k][0].done && !table.same[k])
      runs[k][copy] = run_candidate(problem, held_out[copy], runs[k][0].spec, run, k, progress);
  });
  return table;
}

CandidateRecord record_of(const StackPlan& plan, const RunTable& table, std::size_t k) {
  const std::vector<CandidateRun>& runs = table.runs[k];
  CandidateRecord record;
  record.spec = runs[0].done ? runs[0].spec : plan.candidates[k];
  for (const auto& run : runs) {
    record.seconds += run.seconds;
    if (record.skipped.empty()) record.skipped = run.failure;
  }
  if (table.same[k])
    record.skipped =
        fmt::format("same method and options as '{}'", plan.candidates[*table.same[k]]);
  else if (record.skipped.empty() &&
           !std::all_of(runs.begin(), runs.end(), [](const CandidateRun& run) { return run.done; }))
    record.skipped = "interrupted";
  return record;
}

// The hidden rows as the finished candidates completed them, and the mean errors of each.
void compare_on_hidden_rows(const Problem& problem, const std::vector<HeldOut>& held_out,
                            RunTable& table, CandidateRuns& result) {
  std::vector<std::vector<HiddenAnswer>> answers(held_out.size());
  for (std::size_t copy = 0; copy < held_out.size(); ++copy)
    for (const std::size_t k : result.finished)
      answers[copy].push_back(std::move(table.runs[k][copy].answer));
  result.rows = compare_hidden_rows(problem, held_out, answers);
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
    sum(rows[t].view) += errors(static_cast<Index>(t));
    count(rows[t].view) += 1;
  }
  return sum.cwiseQuotient(count);
}

CandidateRuns run_candidates(const Problem& problem, const StackPlan& plan, const RunOptions& run) {
  const std::vector<HeldOut> held_out = held_out_copies(problem, plan, run.seed);
  if (std::none_of(held_out.begin(), held_out.end(),
                   [](const HeldOut& copy) { return copy.hides_something(); }))
    return nothing_to_run(plan);

  CandidateProgress progress(run.progress, plan);
  RunTable table = run_all(problem, plan, held_out, run, progress);
  progress.rethrow();

  CandidateRuns result;
  result.interrupted = progress.stopped();
  for (std::size_t k = 0; k < plan.candidates.size(); ++k) {
    result.records.push_back(record_of(plan, table, k));
    if (result.records.back().skipped.empty()) result.finished.push_back(k);
  }
  if (!result.finished.empty()) compare_on_hidden_rows(problem, held_out, table, result);
  return result;
}

}  // namespace mkc
