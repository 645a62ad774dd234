#pragma once

#include "mkc/problem/survival.hpp"

namespace mkc {

/// The samples in the order of their times, and where each group of equal times begins.
struct TimeOrder {
  explicit TimeOrder(const Survival& truth);

  Index groups() const { return static_cast<Index>(group_begins.size()) - 1; }

  Indices samples;       // ascending times
  Indices group_begins;  // positions in `samples`; one more at the end
};

/// For every group of equal times.
struct RiskSets {
  RiskSets(const Survival& truth, const Vector& risk, const TimeOrder& order);

  Vector events;
  Vector log_sums;     // log sum_{j at risk} exp(risk_j)
  Vector log_hazards;  // log L, see martingale_residuals(); -inf before the first event
};

}  // namespace mkc
