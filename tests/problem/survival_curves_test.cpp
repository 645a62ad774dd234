#include "problem/survival_curves.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace mkc {
namespace {

struct Patients {
  Survival survival;
  Indices group;
};

// Weeks of remission under 6-MP and placebo, '+' = still in remission: Freireich et al. (1963),
// printed in many textbooks.
Patients leukaemia() {
  const std::vector<double> treated = {6,   -6,  6,   6,  7,  -9,  10,  -10, -11, 13, 16,
                                       -17, -19, -20, 22, 23, -25, -32, -32, -34, -35};
  const std::vector<double> placebo = {1, 1, 2,  2,  3,  4,  4,  5,  5,  8, 8,
                                       8, 8, 11, 11, 12, 12, 15, 17, 22, 23};
  Patients all{{Vector(42), Vector(42)}, {}};
  Index next = 0;
  for (const auto* arm : {&treated, &placebo})
    for (const double weeks : *arm) {
      all.survival.time(next) = std::abs(weeks);
      all.survival.event(next++) = weeks > 0 ? 1 : 0;
      all.group.push_back(arm == &placebo ? 1 : 0);
    }
  return all;
}

TEST(SurvivalCurves, AgreeWithTheLeukaemiaTrial) {
  const Patients p = leukaemia();
  const auto curves = survival_curves(p.survival, p.group, 2);
  EXPECT_EQ(curves[0].events, 9);
  EXPECT_EQ(curves[1].events, 21);
  EXPECT_EQ(curves[0].median, 23);
  EXPECT_EQ(curves[1].median, 8);
  // Published Kaplan-Meier estimates of the treated arm.
  const std::vector<double> alive = {.857, .807, .753, .690, .627, .538, .448};
  ASSERT_EQ(curves[0].share.size(), alive.size());
  for (std::size_t j = 0; j < alive.size(); ++j) EXPECT_NEAR(curves[0].share[j], alive[j], 6e-4);
  EXPECT_EQ(curves[0].censored.size(), 12u);
}

TEST(LogRank, AgreesWithTheLeukaemiaTrial) {
  const Patients p = leukaemia();
  const LogRank test = log_rank(p.survival, p.group, 2);
  EXPECT_NEAR(test.statistic, 16.79, 0.01);
  EXPECT_EQ(test.degrees, 1);
  EXPECT_NEAR(test.p, 4.17e-5, 1e-6);
}

// The chance of a larger statistic is uniform where groups are drawn without regard to survival.
TEST(LogRank, IsCalibratedWhereGroupsDoNotMatter) {
  Random random(7);
  int small = 0;
  constexpr int draws = 400;
  for (int draw = 0; draw < draws; ++draw) {
    Patients p{{Vector(60), Vector(60)}, {}};
    for (Index i = 0; i < 60; ++i) {
      p.survival.time(i) = std::ceil(-100 * std::log1p(-random.uniform()));
      p.survival.event(i) = random.uniform() < 0.7 ? 1 : 0;
      p.group.push_back(static_cast<Index>(random.below(3)));
    }
    small += log_rank(p.survival, p.group, 3).p < 0.1;
  }
  EXPECT_NEAR(small, 0.1 * draws, 4 * std::sqrt(draws * 0.1 * 0.9));
}

TEST(LogRank, LeavesOutSamplesWithoutGroupOrTimeAndIgnoresEmptyGroups) {
  const Patients p = leukaemia();
  const LogRank whole = log_rank(p.survival, p.group, 2);
  Survival more{Vector(45), Vector(45)};
  more.time << p.survival.time, 3, 90, std::nan("");
  more.event << p.survival.event, 1, 0, 1;
  Indices group = p.group;
  group.insert(group.end(), {-1, -1, 1});
  for (std::size_t i = 0; i < 42; ++i) group[i] = group[i] == 1 ? 2 : 0;  // 1: no time is known
  const LogRank test = log_rank(more, group, 3);
  EXPECT_NEAR(test.statistic, whole.statistic, 1e-9);
  EXPECT_EQ(test.degrees, 1);
  const auto curves = survival_curves(more, group, 3);
  EXPECT_EQ(curves[0].samples + curves[2].samples, 42);
  EXPECT_EQ(curves[1].samples, 0);
  EXPECT_TRUE(std::isnan(curves[1].median));
}

// 19.25 and 10.75 events are expected: the table of the trial in textbooks.
TEST(LogRank, ExpectsTheEventsOfTheLeukaemiaTrial) {
  const Patients p = leukaemia();
  const LogRank test = log_rank(p.survival, p.group, 2);
  EXPECT_NEAR(test.expected(0), 19.25, 0.01);
  EXPECT_NEAR(test.expected(1), 10.75, 0.01);
}

TEST(LogRank, OneGroupOrNoDeathsSayNothing) {
  const Patients p = leukaemia();
  EXPECT_EQ(log_rank(p.survival, Indices(42, 0), 1).p, 1);
  const LogRank alive = log_rank({p.survival.time, Vector::Zero(42)}, p.group, 2);
  EXPECT_EQ(alive.statistic, 0);
  EXPECT_EQ(alive.p, 1);
}

}  // namespace
}  // namespace mkc
