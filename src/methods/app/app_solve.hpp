#pragma once

#include "methods/app/app_objective.hpp"
#include "mkc/problem/result.hpp"
#include "mkc/problem/run.hpp"

namespace mkc::approx {

struct Solution {
  Point point;
  std::vector<double> history;  // objective after every round; it never rises
  double residual = 0;          // relative distance to stationarity of the point
  Status status = Status::converged;

  double objective(const Objective& of) const { return of.terms(point).total(); }
};

/// Lowers the objective in T_m, everything else fixed: rows at zero by proximal steps, which keep
/// them exactly zero where they should be, the others by ten preconditioned gradient steps at most.
void descend(const Objective& objective, Index m, Point& point);

/// Block coordinate descent from the weights T: every view in turn, then S, until the residual is
/// at most `tolerance`. `progress` (may be empty) is asked before every round.
Solution solve(const Objective& objective, std::vector<Matrix> T, double tolerance,
               Index max_rounds, const ProgressCallback& progress);

}  // namespace mkc::approx
