#include "select/weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.hpp"
#include "numeric/solvers/simplex_qp.hpp"

namespace mkc {

namespace {

constexpr int folds = 5;
constexpr int most_rounds = 50;
constexpr double own_rows = 20;      // pooled rows count as this many rows of a view
constexpr double negligible = 0.01;  // weights below are not worth running a candidate for
constexpr double rounding = 1e-9;    // sums that differ by less are equal
constexpr std::array rules = {StackRule::one, StackRule::one_per_view, StackRule::pooled,
                              StackRule::per_view};

Index count_of(const std::vector<HiddenRow>& rows) { return static_cast<Index>(rows.size()); }

// Index of the candidate with the smallest weighted sum of errors; the first of those that are
// equal up to rounding, which the order of the samples decides.
Index best_candidate(const std::vector<HiddenRow>& rows, const Vector& counts) {
  Vector sums = Vector::Zero(rows.front().residuals.rows());
  for (Index t = 0; t < count_of(rows); ++t)
    sums += counts(t) * rows[at(t)].residuals.diagonal().cwiseMax(0).cwiseSqrt();
  Index best = 0;
  for (Index c = 1; c < sums.size(); ++c)
    if (sums(c) < (1 - rounding) * sums(best)) best = c;
  return best;
}

Vector unit(Index n, Index i) { return Vector::Unit(n, i); }

Vector without_negligible(Vector w) {
  w = (w.array() < negligible).select(0, w);
  return w / w.sum();
}

}  // namespace

Matrix weights_by_rule(StackRule rule, const std::vector<HiddenRow>& rows, Index n_views,
                       const Vector& counts) {
  const Index candidates = rows.front().residuals.rows();
  const bool single = rule == StackRule::one || rule == StackRule::one_per_view;
  const auto weights_for = [&](const Vector& c) -> Vector {
    return single ? unit(candidates, best_candidate(rows, c))
                  : without_negligible(stack_weights(rows, c));
  };
  const Vector pooled = weights_for(counts);
  Matrix weights = pooled.replicate(1, n_views);
  if (rule == StackRule::one || rule == StackRule::pooled) return weights;
  const double share = own_rows / std::max(1.0, counts.sum());
  for (Index m = 0; m < n_views; ++m) {
    Vector own = counts * share;
    bool any = false;
    for (Index t = 0; t < own.size(); ++t)
      if (rows[at(t)].view == m) {
        own(t) += counts(t);
        any = any || counts(t) > 0;
      }
    if (any) weights.col(m) = weights_for(own);
  }
  return weights;
}

Vector equal_views(const std::vector<HiddenRow>& rows, Index n_views) {
  Vector per_view = Vector::Zero(n_views);
  for (const auto& row : rows) per_view(row.view) += 1;
  const auto used = static_cast<double>((per_view.array() > 0).count());
  Vector counts(count_of(rows));
  for (Index t = 0; t < counts.size(); ++t)
    counts(t) = static_cast<double>(rows.size()) / (used * per_view(rows[at(t)].view));
  return counts;
}

namespace {

std::vector<int> fold_of_rows(const std::vector<HiddenRow>& rows, const Strings& samples) {
  std::vector<int> fold;
  for (const auto& row : rows)
    fold.push_back(static_cast<int>(Random(0, samples[at(row.sample)], "stack").below(folds)));
  return fold;
}

// Whether the gain over `simple` exceeds its standard error, rows of one sample taken together.
// Where a single sample gains they are equal.
bool clearly_better(const Vector& errors, const Vector& simple, const Vector& counts,
                    const std::vector<HiddenRow>& rows, std::size_t n_samples) {
  Vector gain = Vector::Zero(static_cast<Index>(n_samples));
  for (Index t = 0; t < errors.size(); ++t)
    gain(rows[at(t)].sample) += counts(t) * (simple(t) - errors(t));
  const double sum = gain.sum();
  return sum > (1 + rounding) * gain.norm();
}

}  // namespace

const char* stack_rule_name(StackRule rule) {
  constexpr std::array names = {"one candidate for all views", "one candidate per view",
                                "the same weights in all views", "weights per view"};
  return names.at(static_cast<std::size_t>(rule));
}

Vector stack_weights(const std::vector<HiddenRow>& rows, const Vector& counts) {
  const Index candidates = rows.front().residuals.rows();
  Vector w = Vector::Constant(candidates, 1.0 / static_cast<double>(candidates));
  double scale = 0;
  for (Index t = 0; t < count_of(rows); ++t) scale += counts(t) * relative_error(rows[at(t)], w);
  const double floor = 1e-6 * scale / std::max(1.0, counts.sum());
  for (int round = 0; round < most_rounds; ++round) {
    Matrix H = Matrix::Zero(candidates, candidates);
    for (Index t = 0; t < count_of(rows); ++t)
      if (counts(t) > 0)
        H += rows[at(t)].residuals *
             (counts(t) / std::max(relative_error(rows[at(t)], w), std::max(floor, 1e-300)));
    const Vector next = solvers::simplex_qp(H, Vector::Zero(candidates));
    const double change = (next - w).lpNorm<1>();
    w = next;
    if (change < 1e-4) break;
  }
  return w;
}

Stack choose_stack(const std::vector<HiddenRow>& rows, Index n_views, const Strings& samples) {
  const Vector counts = equal_views(rows, n_views);
  const std::vector<int> fold = fold_of_rows(rows, samples);
  const Index candidates = rows.front().residuals.rows();
  Stack chosen;
  for (const StackRule rule : rules) {
    Vector errors(counts.size());
    Matrix row_weights(candidates, counts.size());
    for (int f = 0; f < folds; ++f) {
      Vector kept = counts;
      for (Index t = 0; t < counts.size(); ++t)
        if (fold[at(t)] == f) kept(t) = 0;
      if (kept.sum() == 0) kept = counts;  // a single sample: nothing else to fit on
      const Matrix weights = weights_by_rule(rule, rows, n_views, kept);
      for (Index t = 0; t < counts.size(); ++t)
        if (fold[at(t)] == f) {
          row_weights.col(t) = weights.col(rows[at(t)].view);
          errors(t) = relative_error(rows[at(t)], row_weights.col(t));
        }
    }
    if (rule == StackRule::one ||
        clearly_better(errors, chosen.errors, counts, rows, samples.size())) {
      chosen.rule = rule;
      chosen.errors = std::move(errors);
      chosen.row_weights = std::move(row_weights);
    }
  }
  chosen.weights = weights_by_rule(chosen.rule, rows, n_views, counts);
  return chosen;
}

}  // namespace mkc
