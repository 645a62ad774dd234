#include "problem/kruskal_wallis.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace mkc {
namespace {

// Ranks 1..6 in two groups of three: H = 12 / (6 * 7) * (6^2 / 3 + 15^2 / 3) - 3 * 7 = 27 / 7.
TEST(KruskalWallis, SeparatedGroupsHaveTheValueOfTheFormula) {
  const Numbers numbers{Vector{{1, 2, 3, 10, 20, 90}}};
  const KruskalWallis test = kruskal_wallis(numbers, {0, 0, 0, 1, 1, 1}, 2);
  EXPECT_NEAR(test.statistic, 27.0 / 7, 1e-12);
  EXPECT_EQ(test.degrees, 1);
  EXPECT_NEAR(test.p, std::erfc(std::sqrt(27.0 / 14)), 1e-12);
  EXPECT_EQ(test.median, (Vector{{2, 20}}));
}

// Means 2 and 40, overall 21: between 2 * 3 * 19^2, total from the definition.
TEST(KruskalWallis, EtaSquaredIsTheShareBetweenGroups) {
  const Vector values{{1, 2, 3, 10, 20, 90}};
  const double total = (values.array() - 21).square().sum();
  const KruskalWallis test = kruskal_wallis({values}, {0, 0, 0, 1, 1, 1}, 2);
  EXPECT_NEAR(test.eta2, 2 * 3 * 19 * 19 / total, 1e-12);
}

// With ties: H = [12 / (n (n + 1)) sum R_g^2 / n_g - 3 (n + 1)] / (1 - sum (t^3 - t) / (n^3 - n)).
TEST(KruskalWallis, TiesAreCorrectedAsInTheFormula) {
  const Numbers numbers{Vector{{1, 1, 2, 2, 2, 3}}};  // ranks 1.5 1.5 4 4 4 6
  const KruskalWallis test = kruskal_wallis(numbers, {0, 1, 0, 1, 1, 1}, 2);
  const double plain = 12.0 / 42 * (5.5 * 5.5 / 2 + 15.5 * 15.5 / 4) - 21;
  EXPECT_NEAR(test.statistic, plain / (1 - (6.0 + 24.0) / 210), 1e-12);
}

TEST(KruskalWallis, IgnoresSamplesWithoutNumberOrGroup) {
  const Numbers numbers{Vector{{1, std::nan(""), 2, 3, 10, 7, 20, 90}}};
  const KruskalWallis test = kruskal_wallis(numbers, {0, 1, 0, 0, 2, -1, 2, 2}, 3);
  EXPECT_NEAR(test.statistic, 27.0 / 7, 1e-12);
  EXPECT_EQ(test.samples, (Indices{3, 0, 3}));
  EXPECT_TRUE(std::isnan(test.median(1)));
  EXPECT_EQ(test.degrees, 1);
}

TEST(KruskalWallis, OneGroupAndEqualNumbersSayNothing) {
  EXPECT_EQ(kruskal_wallis({Vector{{1, 2, 3}}}, {0, 0, 0}, 1).p, 1);
  EXPECT_EQ(kruskal_wallis({Vector{{2, 2, 2, 2}}}, {0, 0, 1, 1}, 2).p, 1);
}

TEST(KruskalWallis, IsCalibratedWhereGroupsDoNotMatter) {
  Random random(3);
  int small = 0;
  constexpr int draws = 400;
  for (int draw = 0; draw < draws; ++draw) {
    Numbers numbers{Vector(60)};
    Indices group;
    for (Index i = 0; i < 60; ++i) {
      numbers.of_sample(i) = std::floor(20 * random.uniform());
      group.push_back(static_cast<Index>(random.below(3)));
    }
    small += kruskal_wallis(numbers, group, 3).p < 0.1;
  }
  EXPECT_NEAR(small, 0.1 * draws, 4 * std::sqrt(draws * 0.1 * 0.9));
}

}  // namespace
}  // namespace mkc
