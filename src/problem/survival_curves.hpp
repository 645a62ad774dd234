#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// The Kaplan-Meier estimate of a group: the share alive after each time at which someone died.
struct SurvivalCurve {
  Index samples = 0, deaths = 0;
  std::vector<double> times;     // of deaths, ascending
  std::vector<double> alive;     // S(t) = product over death times t_j <= t of (1 - d_j / n_j)
  std::vector<double> censored;  // times at which follow-up of a living sample ended, ascending
  double median = 0;             // the first time with S(t) <= 1/2; NaN where it is never reached
};

/// `days` (N) to death or to the last contact, `died` (N) 1 or 0, `group` (N) 0 ... n_groups - 1,
/// or -1 for samples to leave out.
std::vector<SurvivalCurve> survival_curves(const Vector& days, const Indices& died,
                                           const Indices& group, Index n_groups);

/// The log-rank test of equal survival in all groups. At each time of death with n at risk and d
/// deaths, group g with n_g at risk expects d n_g / n; with the observed minus expected deaths u
/// and their hypergeometric covariance V, u' V^-1 u is chi-square distributed.
struct LogRank {
  double statistic = 0;
  Index degrees = 0;  // groups with samples, less one
  double p = 1;       // the chance of such a statistic where survival is equal
};
LogRank log_rank(const Vector& days, const Indices& died, const Indices& group, Index n_groups);

/// The chance that a chi-square variable with these degrees of freedom exceeds x.
double chi_square_tail(double x, Index degrees);

}  // namespace mkc
