#pragma once

#include "select/folds.hpp"
#include "select/hidden_rows.hpp"

namespace mkc {

/// How candidates are put together.
enum class StackRule {
  one,           // the best candidate, for all views
  one_per_view,  // the best candidate of each view, all rows counting a little
  pooled,        // convex weights, the same for all views
  per_view,      // convex weights of each view, all rows counting a little
};
const char* stack_rule_name(StackRule rule);

/// Convex weights of the candidates, and the error they have on rows they were not chosen on.
struct Stack {
  StackRule rule = StackRule::one;  // the one with most freedom, where folds differ
  Matrix weights;                   // (C, M), columns on the simplex
  Vector errors;                    // per hidden row: relative error with `row_weights`
  Matrix row_weights;               // (C, rows): weights chosen on other samples
};

/// Weights of the smallest sum over `rows` of counts(t) * sqrt(w'R_t w) on the simplex: the mean
/// relative error itself, not its square. A sum of norms is convex; each round minimises the
/// quadratic that touches it at the last weights (iteratively reweighted least squares).
Vector stack_weights(const std::vector<HiddenRow>& rows, const Vector& counts);

/// Weights (C, M) by one rule; counts(t) = 0 leaves row t out.
Matrix weights_by_rule(StackRule rule, const std::vector<HiddenRow>& rows, Index n_views,
                       const Vector& counts);

/// Counts of the rows that give every view the same total, as in the reported mean over views.
Vector equal_views(const std::vector<HiddenRow>& rows, Index n_views);

/// Chooses rule and weights. Rules are compared by cross-validation over samples: those with more
/// freedom are preferred only where their gain exceeds its own standard error.
///
/// For every judged fold, rule and weights are chosen on the other folds alone, and the result is
/// the mean of these weights. By convexity its error is at most the mean of theirs. Where the mean
/// is a single candidate, all of them are, so that `auto` and this candidate alone are judged the
/// same.
Stack choose_stack(const std::vector<HiddenRow>& rows, Index n_views, const Folds& folds);

}  // namespace mkc
