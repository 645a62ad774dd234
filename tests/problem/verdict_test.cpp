#include "mkc/problem/verdict.hpp"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace mkc {
namespace {

constexpr double no_figure = std::numeric_limits<double>::quiet_NaN();

TEST(Verdict, FollowsFromTheShareRecovered) {
  EXPECT_EQ(verdict_on({0.1, 0.3, 0.9, 0.1, 50}), Verdict::strong);
  EXPECT_EQ(verdict_on({0.2, 0.3, 0.4, 0.1, 50}), Verdict::useful);
  EXPECT_EQ(verdict_on({0.2, 0.3, 0.2, 0.1, 50}), Verdict::weak);
  EXPECT_EQ(verdict_on({0.2, 0.3, 0.04, 0, 50}), Verdict::nothing);
  EXPECT_EQ(verdict_on({0.2, 0.3, -0.5, 0.1, 50}), Verdict::nothing);
}

TEST(Verdict, FewHiddenRowsDoNotFlatter) {
  EXPECT_EQ(verdict_on({0.1, 0.3, 0.6, 0.05, 50}), Verdict::strong);
  EXPECT_EQ(verdict_on({0.1, 0.3, 0.6, 0.2, 8}), Verdict::useful);
  EXPECT_EQ(verdict_on({0.1, 0.3, 0.6, 0.5, 8}), Verdict::weak);
  EXPECT_EQ(verdict_on({0.1, 0.3, 0.6, 0.58, 8}), Verdict::nothing);
  EXPECT_EQ(verdict_on({0.1, 0.3, 0.9, 0.01, 4}), Verdict::unknown);
  EXPECT_EQ(verdict_on({0.1, 0.3, 0.9, no_figure, 50}), Verdict::unknown);
  EXPECT_EQ(verdict_on({no_figure, no_figure, no_figure, no_figure, 0}), Verdict::unknown);
}

TEST(Verdict, AnErrorNoSmallerThanThatOfTheAverageRowIsNothing) {
  EXPECT_EQ(verdict_on({0.3, 0.3, 0.6, 0.05, 50}), Verdict::nothing);
  EXPECT_EQ(verdict_on({0.31, 0.3, 0.6, 0.05, 50}), Verdict::nothing);
}

TEST(Verdict, HasTheWordsOfTheGlossary) {
  EXPECT_EQ(std::string(verdict_name(Verdict::strong)), "strong");
  EXPECT_EQ(std::string(verdict_name(Verdict::useful)), "useful");
  EXPECT_EQ(std::string(verdict_name(Verdict::weak)), "weak");
  EXPECT_EQ(std::string(verdict_name(Verdict::nothing)), "nothing beyond the average row");
  EXPECT_EQ(std::string(verdict_name(Verdict::unknown)), "unknown");
}

TEST(Interval, ThatReachesAboveTheErrorOfZerosSaysNothing) {
  EXPECT_TRUE(interval_is_known(0.4));
  EXPECT_TRUE(interval_is_known(1));
  EXPECT_FALSE(interval_is_known(1.001));
  EXPECT_FALSE(interval_is_known(no_figure));
}

}  // namespace
}  // namespace mkc
