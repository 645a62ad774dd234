#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// A time for some of the samples, and whether it is that of the event or of the last time at which
/// the event had not happened (censored).
struct Survival {
  Vector time;   // (N), >= 0; NaN = nothing is known of the sample
  Vector event;  // (N), 1 = event, 0 = censored

  Indices labelled() const;                        // samples with a time, ascending
  Survival restricted(const Indices& rows) const;  // for samples rows[0], rows[1], ...
};

/// Whether i is known to have its event before j: i has the event, and j's time is later, or equal
/// and censored.
bool comes_first(const Survival& truth, Index i, Index j);

/// 1 where the risk of the sample that comes first is the larger one, 1/2 where they are equal.
double ordered_rightly(double first, double second);

/// Harrell's concordance: the share of the pairs in which one sample comes first that the risk
/// orders rightly. 1 = all, 0.5 = by chance; NaN without pairs. All samples must have a time.
double concordance(const Survival& truth, const Vector& risk);

/// Partial log-likelihood of Cox's model with log hazard ratios `risk`, ties as Breslow's:
/// sum over events i of risk_i - log sum_{j: t_j >= t_i} exp(risk_j).
double partial_log_likelihood(const Survival& truth, const Vector& risk);

/// Its gradient: event_i - exp(risk_i) L(t_i), L the Breslow estimate of the cumulated baseline
/// hazard, sum over events k with t_k <= t of 1 / sum_{j: t_j >= t_k} exp(risk_j). With risk zero
/// these are the martingale residuals of the model without covariates (L is Nelson-Aalen's).
Vector martingale_residuals(const Survival& truth, const Vector& risk);

}  // namespace mkc
