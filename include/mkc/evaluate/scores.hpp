#pragma once

#include <utility>

#include "mkc/problem/hiding.hpp"
#include "mkc/problem/result.hpp"

namespace mkc {

/// How well the hidden rows of one view were completed. Every row is compared over the samples that
/// the truth observes. NaN where there is nothing to score.
struct ViewScores {
  Index hidden_rows = 0;
  double are = 0;          // average relative error in percent, see problem/metrics
  double are_squared = 0;  // the same with every ratio squared
  double rmse = 0;         // root of the mean squared error of an entry
  /// With H the centring matrix and h the hidden rows: the cosine of (HK^H)_h and (HKH)_h. The
  /// visible rows, which are always right, are left out.
  double alignment = 0;
  double coverage = 0;     // share of rows whose error is in its interval; NaN without intervals
  double average_row = 0;  // `are` of the average row (problem/hiding) in the place of hidden rows
  /// 1 - sum |k^ - k|^2 / sum |a - k|^2 over hidden rows k, with a the average row, over the
  /// columns that are not hidden: R^2 of centred rows (docs/glossary.md).
  double recovered = 0;
};

/// The scores by the names they have in files.
inline constexpr std::pair<const char*, double ViewScores::*> view_score_fields[] = {
    {"are", &ViewScores::are},
    {"are_squared", &ViewScores::are_squared},
    {"rmse", &ViewScores::rmse},
    {"alignment", &ViewScores::alignment},
    {"coverage", &ViewScores::coverage},
    {"average_row", &ViewScores::average_row},
    {"recovered", &ViewScores::recovered}};

/// The scores per view of a completion of `held_out.problem`.
std::vector<ViewScores> score_hidden_rows(const Problem& truth, const HeldOut& held_out,
                                          const Completion& completion);

}  // namespace mkc
