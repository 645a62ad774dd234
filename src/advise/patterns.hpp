#pragma once

#include <map>

#include "advise/joint_model.hpp"

namespace mkc::advice {

/// What a set of observed views leaves open, in closed form.
struct PatternValues {
  factor::Pattern has;
  Vector open;       // (M) V(m | o) in (0, 1]: share of view m that the observed views o leave open
  Vector powered;    // (M) V^b
  double label = 0;  // sum_c w_c' Cov(x | x_o) w_c, w the label model's weights
};

/// The patterns of observed views, each computed once, by number. With h the missing columns of a
/// pattern, o the observed ones,
///
///   C = Sigma_hh - Sigma_ho Sigma_oo^-1 Sigma_oh,
///   V(m | o) = kept_m tr(C_mm) / tr(Sigma_mm) + (1 - kept_m).
///
/// For an observed view m, V(m | o) is that of the other observed views: what its assay told.
class Patterns {
 public:
  /// `power`: b. `label` (R, outputs): weights of the label model; may have no columns.
  Patterns(const JointModel& model, double power, Matrix label = {});

  Index number(const factor::Pattern& has);
  Index with(Index pattern, Index view);     // observed as well
  Index without(Index pattern, Index view);  // not observed
  const PatternValues& operator[](Index pattern) const { return values_[at(pattern)]; }
  double power() const { return power_; }

 private:
  PatternValues values_of(const factor::Pattern& has) const;
  Matrix open_covariance(const Indices& missing, const Indices& observed) const;
  Indices columns_of(const factor::Pattern& has, bool wanted) const;
  double open_share(Index m, const Matrix& C, Index first) const;

  const JointModel& model_;
  double power_;
  Matrix label_;
  std::map<factor::Pattern, Index> numbers_;
  std::vector<PatternValues> values_;
  std::vector<Indices> with_, without_;  // (M) numbers, -1 = not asked for yet
};

/// (N) numbers of the samples' patterns.
Indices patterns_of(const JointModel& model, Patterns& patterns);

}  // namespace mkc::advice
