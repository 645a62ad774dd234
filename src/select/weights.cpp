#include "select/weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "numeric/solvers/simplex_qp.hpp"

namespace mkc {

namespace {

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

// Whether the gain over `simple` exceeds its standard error, rows of one sample taken together.
// Where a single sample gains they are equal.
bool clearly_better(const Vector& errors, const Vector& simple, const Vector& counts,
                    const std::vector<HiddenRow>& rows) {
  Index samples = 0;
  for (const auto& row : rows) samples = std::max(samples, row.sample + 1);
  Vector gain = Vector::Zero(samples);
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

namespace {

/// Weights by every rule on the rows outside of one or two folds, each fitted once.
class FoldFits {
 public:
  FoldFits(const std::vector<HiddenRow>& rows, Index n_views, const Folds& folds)
      : rows_(rows), n_views_(n_views), counts_(equal_views(rows, n_views)), folds_(folds) {}

  // The counts of the rows outside of the folds f and g; of all where nothing else is left.
  Vector counts_without(int f, int g) const {
    Vector kept = counts_;
    for (Index t = 0; t < kept.size(); ++t)
      if (const int fold = folds_.of_row[at(t)]; fold == f || fold == g) kept(t) = 0;
    return kept.sum() > 0 ? kept : counts_;
  }

  const Matrix& weights(StackRule rule, int f, int g) {
    const auto [place, is_new] = fits_.try_emplace({rule, std::min(f, g), std::max(f, g)});
    if (is_new) place->second = weights_by_rule(rule, rows_, n_views_, counts_without(f, g));
    return place->second;
  }

 private:
  const std::vector<HiddenRow>& rows_;
  const Index n_views_;
  const Vector counts_;
  const Folds& folds_;
  std::map<std::tuple<StackRule, int, int>, Matrix> fits_;
};

// The rule for the rows outside of a fold, by cross-validation over these.
StackRule choose_rule(FoldFits& fits, const std::vector<HiddenRow>& rows, const Folds& folds,
                      int outer) {
  const Vector counts = fits.counts_without(outer, outer);
  StackRule chosen = StackRule::one;
  Vector smallest;
  for (const StackRule rule : rules) {
    Vector errors = Vector::Zero(counts.size());
    for (Index t = 0; t < counts.size(); ++t)
      if (counts(t) > 0) {
        const Matrix& weights = fits.weights(rule, outer, folds.of_row[at(t)]);
        errors(t) = relative_error(rows[at(t)], weights.col(rows[at(t)].view));
      }
    if (rule != StackRule::one && !clearly_better(errors, smallest, counts, rows)) continue;
    chosen = rule;
    smallest = std::move(errors);
  }
  return chosen;
}

}  // namespace

Stack choose_stack(const std::vector<HiddenRow>& rows, Index n_views, const Folds& folds) {
  FoldFits fits(rows, n_views, folds);
  const Index candidates = rows.front().residuals.rows();
  Stack chosen{StackRule::one, Matrix::Zero(candidates, n_views), Vector(count_of(rows)),
               Matrix(candidates, count_of(rows))};
  for (const int f : folds.judged) {
    const StackRule rule = choose_rule(fits, rows, folds, f);
    chosen.rule = std::max(chosen.rule, rule);
    chosen.weights += fits.weights(rule, f, f) / static_cast<double>(folds.judged.size());
    for (Index t = 0; t < count_of(rows); ++t)
      if (const int own = folds.of_row[at(t)]; own == f || !folds.judges(at(t)))
        chosen.row_weights.col(t) = fits.weights(rule, f, own).col(rows[at(t)].view);
  }
  for (Index t = 0; t < count_of(rows); ++t)
    chosen.errors(t) = relative_error(rows[at(t)], chosen.row_weights.col(t));
  return chosen;
}

}  // namespace mkc
