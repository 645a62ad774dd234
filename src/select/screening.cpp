#include "select/screening.hpp"

#include <algorithm>
#include <numeric>

#include "select/weights.hpp"

namespace mkc {

namespace {

constexpr double acceptable = 0.003;  // loss, of the mean error

// The rows as if the candidates in `kept` alone had been tried.
std::vector<HiddenRow> rows_of(const std::vector<HiddenRow>& rows, const Indices& kept) {
  std::vector<HiddenRow> fewer(rows.size());
  for (std::size_t t = 0; t < rows.size(); ++t) {
    fewer[t].view = rows[t].view;
    fewer[t].sample = rows[t].sample;
    fewer[t].residuals = rows[t].residuals(kept, kept);
  }
  return fewer;
}

/// A mixture with weights of each view and its error on every row.
struct Fitted {
  Matrix weights;  // (C, M)
  Vector errors;   // per row
};

Fitted fitted(const std::vector<HiddenRow>& rows, Index n_views, const Vector& counts) {
  Fitted mixture{weights_by_rule(StackRule::per_view, rows, n_views, counts),
                 Vector(static_cast<Index>(rows.size()))};
  for (std::size_t t = 0; t < rows.size(); ++t)
    mixture.errors(static_cast<Index>(t)) =
        relative_error(rows[t], mixture.weights.col(rows[t].view));
  return mixture;
}

// The loss and its standard error, rows of one sample taken together, at most what is acceptable.
bool is_small(const Vector& loss, const Vector& errors, const Vector& counts,
              const std::vector<HiddenRow>& rows, Index n_samples) {
  Vector of_sample = Vector::Zero(n_samples);
  for (Index t = 0; t < loss.size(); ++t) of_sample(rows[at(t)].sample) += counts(t) * loss(t);
  return of_sample.sum() + of_sample.norm() <= acceptable * counts.dot(errors);
}

}  // namespace

std::vector<bool> dispensable(const std::vector<HiddenRow>& rows, Index n_views, Index n_samples,
                              const std::vector<double>& costs) {
  std::vector<bool> dropped(costs.size(), false);
  if (rows.empty()) return dropped;
  const Vector counts = equal_views(rows, n_views);
  Indices kept(costs.size());
  std::iota(kept.begin(), kept.end(), 0);
  Indices dearest_first = kept;
  std::stable_sort(dearest_first.begin(), dearest_first.end(),
                   [&](Index a, Index b) { return costs[at(a)] > costs[at(b)]; });
  const Fitted all = fitted(rows, n_views, counts);
  Matrix weights = all.weights;  // of `kept`
  for (const Index c : dearest_first) {
    if (kept.size() == 1 || !(costs[at(c)] > 0)) continue;
    const auto place = std::find(kept.begin(), kept.end(), c);
    const bool is_unused = !(weights.row(place - kept.begin()).maxCoeff() > 0);
    Indices others = kept;
    others.erase(others.begin() + (place - kept.begin()));
    const Fitted without = fitted(rows_of(rows, others), n_views, counts);
    if (!is_unused && !is_small(without.errors - all.errors, all.errors, counts, rows, n_samples))
      continue;
    dropped[at(c)] = true;
    kept = std::move(others);
    weights = without.weights;
  }
  return dropped;
}

}  // namespace mkc
