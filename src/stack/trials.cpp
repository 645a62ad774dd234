#include "stack/trials.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "mkc/complete.hpp"
#include "mkc/error.hpp"
#include "mkc/parallel.hpp"
#include "mkc/stopwatch.hpp"

namespace mkc {

namespace {

// Tells the caller how many trials are done, from any thread, and hears whether to stop.
class TrialProgress {
 public:
  TrialProgress(const ProgressCallback& callback, std::size_t trials)
      : callback_(callback), trials_(static_cast<Index>(trials)) {}

  bool go_on() {
    const std::lock_guard lock(mutex_);
    constexpr double no_objective = std::numeric_limits<double>::quiet_NaN();
    if (!stopped_ && callback_ && !callback_({"trying candidates", done_, trials_, no_objective}))
      stopped_ = true;
    return !stopped_;
  }
  bool finish_one() {
    {
      const std::lock_guard lock(mutex_);
      ++done_;
    }
    return go_on();
  }
  bool stopped() const { return stopped_; }

 private:
  const ProgressCallback& callback_;
  const Index trials_;
  std::mutex mutex_;
  Index done_ = 0;
  std::atomic<bool> stopped_ = false;
};

struct Trial {
  HiddenAnswer answer;
  std::string spec;  // with the options the candidate chose
  double seconds = 0;
  std::string failure;
  bool done = false;
};

Trial run_trial(const Problem& truth, const HeldOut& copy, const std::string& spec,
                const RunOptions& outer, TrialProgress& progress) {
  Trial trial;
  if (!progress.go_on()) return trial;
  const Stopwatch watch;
  try {
    RunOptions run;
    run.seed = outer.seed;
    run.transforms = outer.transforms;
    run.threads = outer.threads;  // so that the longest candidate does not end up alone on one
    run.progress = [&](const Progress&) { return progress.go_on(); };
    const Completion completion = complete(copy.problem, spec, run);
    if (completion.info.status == Status::interrupted) return trial;
    trial.answer = hidden_answer(truth, copy, completion.kernels,
                                 completion.uncertainty ? &*completion.uncertainty : nullptr);
    trial.spec = format_spec({completion.info.method, completion.info.parameters});
    trial.done = true;
  } catch (const std::exception& error) {  // whatever stops one candidate does not stop the others
    trial.failure = error.what();
  }
  trial.seconds = watch.seconds();
  progress.finish_one();
  return trial;
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

Vector errors_by_view(const std::vector<HiddenRow>& rows, Index candidate, Index n_views) {
  Vector sum = Vector::Zero(n_views), count = Vector::Zero(n_views);
  for (const auto& row : rows) {
    sum(row.view) += std::sqrt(std::max(0.0, row.residuals(candidate, candidate)));
    count(row.view) += 1;
  }
  return sum.cwiseQuotient(count);  // 0 / 0 = NaN: nothing hidden
}

}  // namespace

Trials try_candidates(const Problem& problem, const StackPlan& plan, const RunOptions& run) {
  const std::size_t candidates = plan.candidates.size();
  const auto copies = static_cast<std::size_t>(plan.copies);
  std::vector<HeldOut> held_out;
  for (std::size_t copy = 0; copy < copies; ++copy)
    held_out.push_back(hide_rows(problem, plan.fraction, run.seed + 7919 * (copy + 1)));

  TrialProgress progress(run.progress, candidates * copies);
  std::vector<std::vector<Trial>> trials(candidates, std::vector<Trial>(copies));
  const std::vector<std::size_t> order = longest_first(plan);
  parallel_for(static_cast<Index>(candidates), run.threads, [&](Index c) {
    const std::size_t k = order[at(c)];
    trials[k][0] = run_trial(problem, held_out[0], plan.candidates[k], run, progress);
  });
  parallel_for(static_cast<Index>(candidates * (copies - 1)), run.threads, [&](Index task) {
    const std::size_t k = order[at(task) % candidates], copy = 1 + at(task) / candidates;
    if (trials[k][0].done)
      trials[k][copy] = run_trial(problem, held_out[copy], trials[k][0].spec, run, progress);
  });

  Trials result;
  result.interrupted = progress.stopped();
  for (std::size_t k = 0; k < candidates; ++k) {
    CandidateRecord record;
    record.spec = trials[k][0].done ? trials[k][0].spec : plan.candidates[k];
    for (const auto& trial : trials[k]) {
      record.seconds += trial.seconds;
      if (record.skipped.empty()) record.skipped = trial.failure;
    }
    if (std::all_of(trials[k].begin(), trials[k].end(), [](const Trial& t) { return t.done; }))
      result.finished.push_back(k);
    else if (record.skipped.empty())
      record.skipped = "interrupted";
    result.records.push_back(std::move(record));
  }
  if (result.finished.empty()) return result;
  std::vector<std::vector<HiddenAnswer>> answers(copies);
  for (std::size_t copy = 0; copy < copies; ++copy)
    for (const std::size_t k : result.finished)
      answers[copy].push_back(std::move(trials[k][copy].answer));
  result.rows = compare_hidden_rows(problem, held_out, answers);
  for (std::size_t c = 0; c < result.finished.size(); ++c)
    result.records[result.finished[c]].held_out_errors =
        errors_by_view(result.rows, static_cast<Index>(c), problem.n_views());
  return result;
}

}  // namespace mkc
