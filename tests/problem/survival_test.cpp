#include "mkc/problem/survival.hpp"

#include <cmath>

#include "base/random.hpp"

namespace mkc {
namespace {

// Times with ties, a third of them censored.
Survival some_times(Index n) {
  Survival made{Vector(n), Vector(n)};
  Random random(4);
  for (Index i = 0; i < n; ++i) {
    made.time(i) = static_cast<double>(random.below(12));
    made.event(i) = random.uniform() < 2.0 / 3 ? 1 : 0;
  }
  return made;
}

Vector some_risks(Index n) {
  Vector risk(n);
  Random random(5);
  for (Index i = 0; i < n; ++i) risk(i) = std::round(4 * random.normal()) / 4;
  return risk;
}

// From the definition, over the risk set of every event.
double slow_likelihood(const Survival& truth, const Vector& risk) {
  double sum = 0;
  for (Index i = 0; i < risk.size(); ++i) {
    if (truth.event(i) == 0) continue;
    double at_risk = 0;
    for (Index j = 0; j < risk.size(); ++j)
      if (truth.time(j) >= truth.time(i)) at_risk += std::exp(risk(j));
    sum += risk(i) - std::log(at_risk);
  }
  return sum;
}

TEST(Survival, PartialLikelihoodIsThatOfTheDefinition) {
  const Survival truth = some_times(40);
  EXPECT_NEAR(partial_log_likelihood(truth, some_risks(40)), slow_likelihood(truth, some_risks(40)),
              1e-10);
  const Vector shifted = some_risks(40).array() + 5000;  // a constant does not matter
  EXPECT_NEAR(partial_log_likelihood(truth, shifted), slow_likelihood(truth, some_risks(40)), 1e-7);
}

TEST(Survival, ResidualsAreTheGradientOfTheLikelihood) {
  const Survival truth = some_times(25);
  const Vector risk = some_risks(25), residuals = martingale_residuals(truth, risk);
  for (Index i = 0; i < 25; ++i) {
    Vector more = risk, less = risk;
    more(i) += 1e-5;
    less(i) -= 1e-5;
    EXPECT_NEAR(residuals(i), (slow_likelihood(truth, more) - slow_likelihood(truth, less)) / 2e-5,
                1e-7);
  }
  EXPECT_NEAR(residuals.sum(), 0, 1e-10);
}

// Nelson-Aalen by hand: 4 at risk at time 1, then 2 at time 3 (one was censored at 2).
TEST(Survival, ResidualsWithoutCovariates) {
  const Survival truth{Vector{{1, 2, 3, 3}}, Vector{{1, 0, 1, 0}}};
  const Vector expected{{1 - 0.25, -0.25, 1 - 0.75, -0.75}};
  EXPECT_TRUE(martingale_residuals(truth, Vector::Zero(4)).isApprox(expected, 1e-14));
  const Survival censored{Vector{{1, 2}}, Vector{{0, 0}}};
  EXPECT_EQ(martingale_residuals(censored, Vector::Zero(2)), Vector::Zero(2));
}

TEST(Survival, ConcordanceCountsPairs) {
  const Survival truth{Vector{{1, 2, 3, 4}}, Vector{{1, 1, 0, 1}}};
  EXPECT_EQ(concordance(truth, Vector{{4, 3, 2, 1}}), 1);
  EXPECT_EQ(concordance(truth, Vector{{1, 2, 3, 4}}), 0);
  EXPECT_EQ(concordance(truth, Vector::Zero(4)), 0.5);
  // pairs: 1 before 2, 3, 4; 2 before 3, 4; the censored one before none
  EXPECT_DOUBLE_EQ(concordance(truth, Vector{{4, 1, 2, 3}}), 3.0 / 5);
  EXPECT_TRUE(std::isnan(concordance({Vector{{1, 2}}, Vector::Zero(2)}, Vector::Zero(2))));
}

TEST(Survival, ConcordanceOfEqualTimes) {
  // of two events at one time none comes first; a sample censored then comes later
  EXPECT_TRUE(std::isnan(concordance({Vector{{1, 1}}, Vector{{1, 1}}}, Vector{{2, 1}})));
  EXPECT_EQ(concordance({Vector{{1, 1}}, Vector{{1, 0}}}, Vector{{2, 1}}), 1);
}

}  // namespace
}  // namespace mkc
