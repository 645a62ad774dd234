#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mkc/problem/run.hpp"

namespace mkc {

/// Estimates how long a run takes from what it has reported so far.
class TimeLeft {
 public:
  /// A report at this time, in seconds.
  void add(double time, const Progress& progress);

  struct Estimate {
    double from = 0, to = 0;  // seconds; equal where the ways to predict convergence agree
    bool is_bound = false;    // the run may end earlier: it ends when it has converged
  };
  /// Nothing where nothing is known yet.
  std::optional<Estimate> at(double time) const;

 private:
  struct Point {
    double time, iteration, residual;
  };

  std::optional<Estimate> by_share() const;
  std::optional<Estimate> by_iterations() const;
  struct Iterations {
    double fewest, most;
  };
  Iterations iterations_to_converge() const;
  static Iterations narrowed(Iterations range);

  std::string phase_;
  Progress last_;
  double last_time_ = 0;
  double share_start_ = 0;     // when the share of the whole was first known
  double first_share_ = 0;     // and how much it was
  std::vector<Point> points_;  // of this phase, one per iteration
};

}  // namespace mkc
