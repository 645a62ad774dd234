#pragma once

#include "mkc/problem/survival.hpp"

namespace mkc {

/// The Kaplan-Meier estimate of a group: the share without event after each time of an event.
struct SurvivalCurve {
  Index samples = 0, events = 0;
  std::vector<double> times;     // of events, ascending
  std::vector<double> share;     // S(t) = product over event times t_j <= t of (1 - d_j / n_j)
  std::vector<double> censored;  // times of censored samples, ascending
  double median = 0;             // the first time with S(t) <= 1/2; NaN where it is never reached
};

/// `group` (N) is 0 ... n_groups - 1, or -1 for samples to leave out. Samples without a time are
/// left out, too.
std::vector<SurvivalCurve> survival_curves(const Survival& survival, const Indices& group,
                                           Index n_groups);

/// The log-rank test of equal survival in all groups. At each time of an event with n at risk and d
/// events, group g with n_g at risk expects d n_g / n; with the observed minus expected events u
/// and their hypergeometric covariance V, u' V^-1 u is chi-square distributed.
struct LogRank {
  double statistic = 0;
  Index degrees = 0;  // groups with samples, less one
  double p = 1;       // the chance of such a statistic where survival is equal
  Vector expected;    // events per group; where they are below 5, p is a rough value
};
LogRank log_rank(const Survival& survival, const Indices& group, Index n_groups);

}  // namespace mkc
