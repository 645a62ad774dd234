#pragma once

#include "mkc/problem/problem.hpp"
#include "mkc/problem/result.hpp"
#include "select/missingness.hpp"
#include "select/weights.hpp"

/// What the hidden rows say about every view, beside its mean error.
namespace mkc {

/// A share and its standard error.
struct Share {
  double value = 0;
  double standard_error = 0;
};

/// The share of what distinguishes the rows of a view that is recovered, over its judging rows t:
///
///   R^2 = 1 - sum_t |k^_t - k_t|^2 / sum_t |a - k_t|^2
///
/// with a the average row, over the columns that the copy of t shows: R^2 of rows centred by a,
/// since (k^_t - a) - (k_t - a) = k^_t - k_t. weights: (C, rows), those of each row. The standard
/// error is that of a ratio of sums over independent samples; NaN with fewer than two. 0 where all
/// rows of the view are equal, NaN where none was hidden.
Share recovered_share(const std::vector<HiddenRow>& rows, const Matrix& weights, Index view);

/// Fills in the errors of the average row, the shares recovered and the verdicts.
/// quality.held_out_errors must be known.
void judge_views(const std::vector<HiddenRow>& rows, const Stack& stack, Quality& quality);

/// Fills in what is known of why rows are missing, and the errors in the worst case.
void describe_missingness(const std::vector<Missingness>& missingness,
                          const std::vector<HiddenRow>& rows, const Stack& stack, Quality& quality);

/// A warning per view that is not missing at random.
Strings warnings_about_missingness(const Problem& problem, const Quality& quality);

/// A view of a completion, as far as warnings need it.
struct JudgedView {
  std::string name;
  bool complete = false;  // nothing was missing
  bool is_mean = false;   // it was completed with the mean of the other views
};

/// Warnings about completed views that are no better than the mean of the other views or their
/// average row, with what may change that.
Strings warnings_about_views(const std::vector<JudgedView>& views, const Quality& quality);

/// That the errors of some completed rows of a view are unknown.
std::string notice_of_unknown_errors(const std::string& view, Index unknown, Index completed);

/// Notes about views whose completed rows all have the same estimate, or whose errors are unknown.
Strings notices_about_rows(const Problem& problem, const Quality& quality);

}  // namespace mkc
