#include "problem/survival_curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/QR>

#include "numeric/chi_square.hpp"

namespace mkc {

namespace {

/// Those at risk just before a time, and the events at it, per group.
struct Moment {
  double time = 0;
  Vector at_risk, events;  // (groups)
};

Indices by_time(const Survival& survival, const Indices& group) {
  Indices order;
  for (const Index i : survival.labelled())
    if (group[at(i)] >= 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return survival.time(a) < survival.time(b); });
  return order;
}

/// All times of events, ascending. Who is censored at such a time was at risk then.
std::vector<Moment> moments_of_events(const Survival& survival, const Indices& group,
                                      Index n_groups) {
  const Indices order = by_time(survival, group);
  Vector at_risk = Vector::Zero(n_groups);
  for (const Index i : order) at_risk(group[at(i)]) += 1;
  std::vector<Moment> moments;
  for (std::size_t first = 0, next = 0; first < order.size(); first = next) {
    Moment now{survival.time(order[first]), at_risk, Vector::Zero(n_groups)};
    for (next = first; next < order.size() && survival.time(order[next]) == now.time; ++next) {
      const Index i = order[next];
      at_risk(group[at(i)]) -= 1;
      now.events(group[at(i)]) += survival.event(i);
    }
    if (now.events.sum() > 0) moments.push_back(std::move(now));
  }
  return moments;
}

double median_of(const SurvivalCurve& curve) {
  const auto half = std::find_if(curve.share.begin(), curve.share.end(),
                                 [](double share) { return share <= 0.5; });
  return half == curve.share.end() ? std::numeric_limits<double>::quiet_NaN()
                                   : curve.times[at(half - curve.share.begin())];
}

}  // namespace

std::vector<SurvivalCurve> survival_curves(const Survival& survival, const Indices& group,
                                           Index n_groups) {
  std::vector<SurvivalCurve> curves(at(n_groups));
  for (const Index i : by_time(survival, group)) {
    SurvivalCurve& curve = curves[at(group[at(i)])];
    ++curve.samples;
    if (survival.event(i) == 0)
      curve.censored.push_back(survival.time(i));
    else
      ++curve.events;
  }
  for (const auto& moment : moments_of_events(survival, group, n_groups))
    for (Index g = 0; g < n_groups; ++g) {
      if (moment.events(g) == 0) continue;
      SurvivalCurve& curve = curves[at(g)];
      const double before = curve.share.empty() ? 1 : curve.share.back();
      curve.times.push_back(moment.time);
      curve.share.push_back(before * (1 - moment.events(g) / moment.at_risk(g)));
    }
  for (auto& curve : curves) curve.median = median_of(curve);
  return curves;
}

LogRank log_rank(const Survival& survival, const Indices& group, Index n_groups) {
  LogRank test;
  test.expected = Vector::Zero(n_groups);
  Vector observed = Vector::Zero(n_groups);
  Matrix covariance = Matrix::Zero(n_groups, n_groups);
  for (const auto& [time, at_risk, events] : moments_of_events(survival, group, n_groups)) {
    const double n = at_risk.sum(), d = events.sum();
    const Vector share = at_risk / n;
    observed += events;
    test.expected += d * share;
    // d (n - d) / (n - 1) (diag(share) - share share')
    if (n > 1)
      covariance +=
          d * (n - d) / (n - 1) * (Matrix(share.asDiagonal()) - Matrix(share * share.transpose()));
  }
  std::vector<bool> present(at(n_groups), false);
  for (const Index i : by_time(survival, group)) present[at(group[at(i)])] = true;
  test.degrees = std::max<Index>(std::count(present.begin(), present.end(), true) - 1, 0);
  // The rows of V add up to 0, so it is inverted on its range.
  const Vector excess = observed - test.expected;
  test.statistic = std::max(
      0.0, excess.dot(Eigen::CompleteOrthogonalDecomposition<Matrix>(covariance).solve(excess)));
  test.p = test.degrees > 0 ? chi_square_tail(test.statistic, test.degrees) : 1;
  return test;
}

}  // namespace mkc
