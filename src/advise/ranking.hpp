#pragma once

#include "advise/expectation.hpp"

namespace mkc::advice {

/// What to rank, checked.
struct RankingPlan {
  std::vector<Assay> candidates;
  Vector costs;  // (M)
  double budget;
  bool batch = false;
  int threads = 1;
  ProgressCallback progress;
};

struct Ranking {
  std::vector<RankedAssay> assays;
  std::vector<CurvePoint> curve;
  double spent = 0, error_after = 0;
};

/// Ranks the candidates by gain per cost. Without `batch` in the order of their gains now; with it
/// the best is taken, all gains change as if it were measured, and so on (greedy choice; for a
/// submodular gain within 1 - 1/e of the best set, Nemhauser, Wolsey and Fisher 1978). Gains of the
/// same sample change at once, those through the regressions in blocks that grow along the ranking.
///
/// The curve follows the ranking. Within the budget are the assays that fit, in this order.
Ranking rank(Expectation& expectation, const JointModel& model, const RankingPlan& plan);

/// Where the curve is farthest below the straight line between its ends: before it an assay removes
/// more than average, after it less. Nothing where this is less than a twentieth of the whole fall.
std::optional<CurvePoint> point_of_enough(const std::vector<CurvePoint>& curve);

}  // namespace mkc::advice
