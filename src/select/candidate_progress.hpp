#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <vector>

#include "base/stopwatch.hpp"
#include "select/stacking.hpp"

namespace mkc {

/// Reports to the caller how much is done, from any thread, and asks whether to stop. A candidate
/// runs on every copy and then, in step 4, on the problem.
class CandidateProgress {
 public:
  CandidateProgress(const ProgressCallback& callback, const StackPlan& plan);

  bool go_on();
  bool start_one(std::size_t candidate);
  bool finish_one(std::size_t candidate, double seconds, bool is_quick);
  /// It is not run any more.
  void drop(std::size_t candidate);
  bool stopped() const { return stopped_; }
  /// What the callback threw.
  void rethrow() const;

 private:
  struct Work {
    double first_cost;  // of the first run, which also chooses the options
    double next_cost;   // of every further run
    Index runs = 0;     // finished
    double seconds = 0;
    double seconds_quick = 0;  // of runs in its quick form, which are not counted
    double running = 0;        // runs under way
    double started = 0;        // sum of the times at which these started
    bool dropped = false;

    double cost_of(double n_runs) const {
      return n_runs > 0 ? first_cost + (n_runs - 1) * next_cost : 0;
    }
    double done() const { return cost_of(static_cast<double>(runs)); }
    double under_way(double now) const { return running * now - started; }
  };
  double usual_seconds(double now) const;
  double share() const;

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

}  // namespace mkc
