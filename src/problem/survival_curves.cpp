#include "problem/survival_curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/QR>

namespace mkc {

namespace {

/// Those at risk just before a time, and the deaths at it, per group.
struct Moment {
  double time = 0;
  Vector at_risk, deaths;  // (groups)
};

Indices by_time(const Vector& days, const Indices& group) {
  Indices order;
  for (Index i = 0; i < days.size(); ++i)
    if (group[at(i)] >= 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return days(a) < days(b); });
  return order;
}

/// All times at which someone died, ascending. Who is censored at a time of death was at risk then.
std::vector<Moment> moments_of_death(const Vector& days, const Indices& died, const Indices& group,
                                     Index n_groups) {
  const Indices order = by_time(days, group);
  Vector at_risk = Vector::Zero(n_groups);
  for (const Index i : order) at_risk(group[at(i)]) += 1;
  std::vector<Moment> moments;
  for (std::size_t first = 0, next = 0; first < order.size(); first = next) {
    Moment now{days(order[first]), at_risk, Vector::Zero(n_groups)};
    for (next = first; next < order.size() && days(order[next]) == now.time; ++next) {
      const Index i = order[next];
      at_risk(group[at(i)]) -= 1;
      now.deaths(group[at(i)]) += died[at(i)] != 0 ? 1 : 0;
    }
    if (now.deaths.sum() > 0) moments.push_back(std::move(now));
  }
  return moments;
}

}  // namespace

std::vector<SurvivalCurve> survival_curves(const Vector& days, const Indices& died,
                                           const Indices& group, Index n_groups) {
  std::vector<SurvivalCurve> curves(at(n_groups));
  for (const Index i : by_time(days, group)) {
    SurvivalCurve& curve = curves[at(group[at(i)])];
    ++curve.samples;
    curve.deaths += died[at(i)] != 0 ? 1 : 0;
    if (died[at(i)] == 0) curve.censored.push_back(days(i));
  }
  for (const auto& moment : moments_of_death(days, died, group, n_groups))
    for (Index g = 0; g < n_groups; ++g) {
      if (moment.deaths(g) == 0) continue;
      SurvivalCurve& curve = curves[at(g)];
      const double before = curve.alive.empty() ? 1 : curve.alive.back();
      curve.times.push_back(moment.time);
      curve.alive.push_back(before * (1 - moment.deaths(g) / moment.at_risk(g)));
    }
  for (auto& curve : curves) {
    const auto half = std::find_if(curve.alive.begin(), curve.alive.end(),
                                   [](double share) { return share <= 0.5; });
    curve.median = half == curve.alive.end() ? std::numeric_limits<double>::quiet_NaN()
                                             : curve.times[at(half - curve.alive.begin())];
  }
  return curves;
}

LogRank log_rank(const Vector& days, const Indices& died, const Indices& group, Index n_groups) {
  Vector excess = Vector::Zero(n_groups);  // u: observed minus expected deaths
  Matrix covariance = Matrix::Zero(n_groups, n_groups);
  std::vector<bool> present(at(n_groups), false);
  for (const Index g : group)
    if (g >= 0) present[at(g)] = true;
  for (const auto& [time, at_risk, deaths] : moments_of_death(days, died, group, n_groups)) {
    const double n = at_risk.sum(), d = deaths.sum();
    const Vector share = at_risk / n;
    excess += deaths - d * share;
    // d (n - d) / (n - 1) (diag(share) - share share')
    if (n > 1)
      covariance +=
          d * (n - d) / (n - 1) * (Matrix(share.asDiagonal()) - Matrix(share * share.transpose()));
  }
  LogRank test;
  test.degrees = std::max<Index>(std::count(present.begin(), present.end(), true) - 1, 0);
  // The rows of V add up to 0, so it is inverted on its range.
  test.statistic = std::max(
      0.0, excess.dot(Eigen::CompleteOrthogonalDecomposition<Matrix>(covariance).solve(excess)));
  test.p = test.degrees > 0 ? chi_square_tail(test.statistic, test.degrees) : 1;
  return test;
}

// With y = x / 2 and a = degrees / 2 the tail is Q(a, y), where Q(1/2, y) = erfc(sqrt y),
// Q(1, y) = exp(-y) and Q(a + 1, y) = Q(a, y) + y^a exp(-y) / Gamma(a + 1).
double chi_square_tail(double x, Index degrees) {
  if (!(x > 0)) return 1;
  const double y = x / 2, end = static_cast<double>(degrees) / 2;
  double a = degrees % 2 == 1 ? 0.5 : 1;
  double tail = degrees % 2 == 1 ? std::erfc(std::sqrt(y)) : std::exp(-y);
  for (; a < end; a += 1) tail += std::exp(a * std::log(y) - y - std::lgamma(a + 1));
  return std::min(tail, 1.0);
}

}  // namespace mkc
