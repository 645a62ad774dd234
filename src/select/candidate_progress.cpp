#include "select/candidate_progress.hpp"

#include <algorithm>
#include <limits>

namespace mkc {

namespace {

constexpr double share_at_start = 1e-9;  // known from now on

}  // namespace

CandidateProgress::CandidateProgress(const ProgressCallback& callback, const StackPlan& plan)
    : callback_(callback), copies_(plan.copies), has_costs_(!plan.costs.empty()) {
  for (std::size_t k = 0; k < plan.candidates.size(); ++k)
    if (plan.costs.empty())
      work_.push_back({1, 1});
    else
      work_.push_back(
          {plan.costs[k] - static_cast<double>(copies_) * plan.run_costs[k], plan.run_costs[k]});
}

bool CandidateProgress::go_on() {
  const std::lock_guard lock(mutex_);
  constexpr double no_objective = std::numeric_limits<double>::quiet_NaN();
  try {
    if (!stopped_ && callback_ &&
        !callback_(
            {"trying candidates", done_, copies_ * std::ssize(work_), no_objective, 0, 0, share()}))
      stopped_ = true;
  } catch (...) {  // no failure of the candidate that happened to ask
    raised_ = std::current_exception();
    stopped_ = true;
  }
  return !stopped_;
}

bool CandidateProgress::start_one(std::size_t candidate) {
  {
    const std::lock_guard lock(mutex_);
    ++work_[candidate].running;
    work_[candidate].started += clock_.seconds();
  }
  return go_on();
}

bool CandidateProgress::finish_one(std::size_t candidate, double seconds, bool is_quick) {
  {
    const std::lock_guard lock(mutex_);
    Work& work = work_[candidate];
    --work.running;
    work.started -= clock_.seconds() - seconds;
    if (is_quick) {
      work.seconds_quick += seconds;
    } else {
      ++done_;
      ++work.runs;
      work.seconds += seconds;
    }
  }
  return go_on();
}

void CandidateProgress::drop(std::size_t candidate) {
  const std::lock_guard lock(mutex_);
  work_[candidate].dropped = true;
}

void CandidateProgress::rethrow() const {
  if (raised_) std::rethrow_exception(raised_);
}

// Seconds for a cost of one. Before the first run has finished: those of a nominal core, or of
// the runs under way if they already take longer.
double CandidateProgress::usual_seconds(double now) const {
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
double CandidateProgress::share() const {
  constexpr double used_in_the_end = 0.5;  // of the candidates, about
  const double now = clock_.seconds(), usual = usual_seconds(now);
  if (!(usual > 0)) return share_at_start;
  double left = 0, spent = 0;
  for (const Work& work : work_) {
    const double done = work.done();
    const double all = work.cost_of(static_cast<double>(copies_) + used_in_the_end);
    const double under_way = work.under_way(now);
    const double each = done > 0 ? work.seconds / done : usual;
    spent += work.seconds + work.seconds_quick + under_way;
    if (!work.dropped) left += std::max(0.0, (all - done) * each - under_way);
  }
  return std::max(share_at_start, spent / (spent + left));
}

}  // namespace mkc
