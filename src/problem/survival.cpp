#include "mkc/problem/survival.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "problem/risk_sets.hpp"

namespace mkc {

TimeOrder::TimeOrder(const Survival& truth) : samples(at(truth.time.size())) {
  std::iota(samples.begin(), samples.end(), Index{0});
  std::stable_sort(samples.begin(), samples.end(),
                   [&](Index a, Index b) { return truth.time(a) < truth.time(b); });
  for (std::size_t k = 0; k < samples.size(); ++k)
    if (k == 0 || truth.time(samples[k]) != truth.time(samples[k - 1]))
      group_begins.push_back(static_cast<Index>(k));
  group_begins.push_back(static_cast<Index>(samples.size()));
}

namespace {

// log of a growing sum of exponentials.
class LogSum {
 public:
  void add(double exponent) {
    if (exponent > largest_) {
      scaled_ = scaled_ * std::exp(largest_ - exponent) + 1;
      largest_ = exponent;
    } else {
      scaled_ += std::exp(exponent - largest_);
    }
  }
  double value() const { return largest_ + std::log(scaled_); }

 private:
  double largest_ = -std::numeric_limits<double>::max(), scaled_ = 0;
};

}  // namespace

RiskSets::RiskSets(const Survival& truth, const Vector& risk, const TimeOrder& order)
    : events(Vector::Zero(order.groups())),
      log_sums(order.groups()),
      log_hazards(Vector::Constant(order.groups(), -std::numeric_limits<double>::infinity())) {
  LogSum at_risk, hazard;
  for (Index g = order.groups() - 1; g >= 0; --g) {
    for (Index k = order.group_begins[at(g)]; k < order.group_begins[at(g + 1)]; ++k) {
      at_risk.add(risk(order.samples[at(k)]));
      events(g) += truth.event(order.samples[at(k)]);
    }
    log_sums(g) = at_risk.value();
  }
  bool any = false;
  for (Index g = 0; g < order.groups(); ++g) {
    if (events(g) > 0) hazard.add(std::log(events(g)) - log_sums(g));
    any = any || events(g) > 0;
    if (any) log_hazards(g) = hazard.value();
  }
}

Indices Survival::labelled() const {
  Indices rows;
  for (Index i = 0; i < time.size(); ++i)
    if (!std::isnan(time(i))) rows.push_back(i);
  return rows;
}

Survival Survival::restricted(const Indices& rows) const { return {time(rows), event(rows)}; }

bool comes_first(const Survival& truth, Index i, Index j) {
  return truth.event(i) != 0 &&
         (truth.time(j) > truth.time(i) || (truth.time(j) == truth.time(i) && truth.event(j) == 0));
}

double ordered_rightly(double first, double second) {
  return first > second ? 1 : first == second ? 0.5 : 0;
}

double concordance(const Survival& truth, const Vector& risk) {
  double right = 0, pairs = 0;
  for (Index i = 0; i < risk.size(); ++i)
    for (Index j = 0; j < risk.size(); ++j)
      if (comes_first(truth, i, j)) {
        right += ordered_rightly(risk(i), risk(j));
        pairs += 1;
      }
  return pairs > 0 ? right / pairs : std::numeric_limits<double>::quiet_NaN();
}

double partial_log_likelihood(const Survival& truth, const Vector& risk) {
  const RiskSets sets(truth, risk, TimeOrder(truth));
  return truth.event.dot(risk) - sets.events.dot(sets.log_sums);
}

Vector martingale_residuals(const Survival& truth, const Vector& risk) {
  const TimeOrder order(truth);
  const RiskSets sets(truth, risk, order);
  Vector residuals(risk.size());
  for (Index g = 0; g < order.groups(); ++g)
    for (Index k = order.group_begins[at(g)]; k < order.group_begins[at(g + 1)]; ++k) {
      const Index i = order.samples[at(k)];
      residuals(i) = truth.event(i) - std::exp(risk(i) + sets.log_hazards(g));
    }
  return residuals;
}

}  // namespace mkc
