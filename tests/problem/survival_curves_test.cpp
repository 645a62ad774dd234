#include "problem/survival_curves.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace mkc {
namespace {

struct Patients {
  Vector days;
  Indices died, group;
};

// Weeks of remission under 6-MP and placebo, '+' = still in remission: Freireich et al. (1963),
// printed in many textbooks.
Patients leukaemia() {
  const std::vector<double> treated = {6,   -6,  6,   6,  7,  -9,  10,  -10, -11, 13, 16,
                                       -17, -19, -20, 22, 23, -25, -32, -32, -34, -35};
  const std::vector<double> placebo = {1, 1, 2,  2,  3,  4,  4,  5,  5,  8, 8,
                                       8, 8, 11, 11, 12, 12, 15, 17, 22, 23};
  Patients all;
  all.days.resize(42);
  Index next = 0;
  for (const auto* arm : {&treated, &placebo})
    for (const double weeks : *arm) {
      all.days(next++) = std::abs(weeks);
      all.died.push_back(weeks > 0 ? 1 : 0);
      all.group.push_back(arm == &placebo ? 1 : 0);
    }
  return all;
}

TEST(SurvivalCurves, AgreeWithTheLeukaemiaTrial) {
  const Patients p = leukaemia();
  const auto curves = survival_curves(p.days, p.died, p.group, 2);
  EXPECT_EQ(curves[0].deaths, 9);
  EXPECT_EQ(curves[1].deaths, 21);
  EXPECT_EQ(curves[0].median, 23);
  EXPECT_EQ(curves[1].median, 8);
  // Published Kaplan-Meier estimates of the treated arm.
  const std::vector<double> alive = {.857, .807, .753, .690, .627, .538, .448};
  ASSERT_EQ(curves[0].alive.size(), alive.size());
  for (std::size_t j = 0; j < alive.size(); ++j) EXPECT_NEAR(curves[0].alive[j], alive[j], 6e-4);
  EXPECT_EQ(curves[0].censored.size(), 12u);
}

TEST(LogRank, AgreesWithTheLeukaemiaTrial) {
  const Patients p = leukaemia();
  const LogRank test = log_rank(p.days, p.died, p.group, 2);
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
    Patients p;
    p.days.resize(60);
    for (Index i = 0; i < 60; ++i) {
      p.days(i) = std::ceil(-100 * std::log1p(-random.uniform()));
      p.died.push_back(random.uniform() < 0.7 ? 1 : 0);
      p.group.push_back(static_cast<Index>(random.below(3)));
    }
    small += log_rank(p.days, p.died, p.group, 3).p < 0.1;
  }
  EXPECT_NEAR(small, 0.1 * draws, 4 * std::sqrt(draws * 0.1 * 0.9));
}

TEST(LogRank, LeavesOutSamplesWithoutGroupAndIgnoresEmptyGroups) {
  Patients p = leukaemia();
  const LogRank whole = log_rank(p.days, p.died, p.group, 2);
  Vector days(44);
  days << p.days, 3, 90;
  p.died.insert(p.died.end(), {1, 0});
  p.group.insert(p.group.end(), {-1, -1});
  for (auto& g : p.group) g = g == 1 ? 2 : g;  // group 1 is empty
  const LogRank test = log_rank(days, p.died, p.group, 3);
  EXPECT_NEAR(test.statistic, whole.statistic, 1e-9);
  EXPECT_EQ(test.degrees, 1);
}

TEST(LogRank, OneGroupOrNoDeathsSayNothing) {
  const Patients p = leukaemia();
  EXPECT_EQ(log_rank(p.days, p.died, Indices(42, 0), 1).p, 1);
  const LogRank alive = log_rank(p.days, Indices(42, 0), p.group, 2);
  EXPECT_EQ(alive.statistic, 0);
  EXPECT_EQ(alive.p, 1);
}

TEST(ChiSquareTail, AgreesWithTables) {
  EXPECT_NEAR(chi_square_tail(3.841458820694124, 1), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_tail(5.991464547107979, 2), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_tail(7.814727903251179, 3), 0.05, 1e-12);
  EXPECT_NEAR(chi_square_tail(18.307038053275146, 10), 0.05, 1e-12);
  EXPECT_EQ(chi_square_tail(0, 4), 1);
  EXPECT_NEAR(chi_square_tail(400, 1), 5.5e-89, 1e-90);
}

}  // namespace
}  // namespace mkc
