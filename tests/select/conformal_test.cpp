// Intervals for errors: coverage on fresh draws, the strata, and the effect of a good signal.
#include "select/conformal.hpp"

#include <cmath>

#include "base/random.hpp"

namespace mkc {
namespace {

struct Draws {
  std::vector<RowSignals> rows;
  Vector errors;
};

// Errors that follow the spread up to a factor of about 1.5, in two views of different difficulty.
Draws draw(Index n, std::uint64_t seed) {
  Random random(seed);
  Draws draws;
  draws.errors.resize(n);
  for (Index t = 0; t < n; ++t) {
    RowSignals row;
    row.sample = t;
    row.view = static_cast<Index>(random.below(2));
    row.observed_views = 1 + static_cast<Index>(random.below(3));
    row.spread = std::exp(random.normal());
    row.variance = std::exp(random.normal());  // unrelated to the error
    draws.errors(t) = 0.1 * double(1 + row.view) / double(row.observed_views) *
                      std::sqrt(row.spread) * std::exp(0.4 * random.normal());
    draws.rows.push_back(row);
  }
  return draws;
}

double covered(const ConformalErrors& conformal, const Draws& draws, double& width) {
  double inside = 0;
  width = 0;
  for (std::size_t t = 0; t < draws.rows.size(); ++t) {
    const ErrorEstimate e = conformal.estimate(draws.rows[t]);
    const double error = draws.errors(static_cast<Index>(t));
    EXPECT_LE(e.low, e.high);
    inside += e.low <= error && error <= e.high;
    width += e.high - e.low;
  }
  width /= double(draws.rows.size());
  return inside / double(draws.rows.size());
}

TEST(ConformalErrors, CoverNewRowsWithTheNominalProbability) {
  const Draws calibration = draw(600, 1), fresh = draw(4000, 2);
  double width = 0;
  const double share = covered({calibration.rows, calibration.errors, 2}, fresh, width);
  EXPECT_GT(share, 0.87);
  EXPECT_LT(share, 0.94);
}

TEST(ConformalErrors, ASignalThatFollowsTheErrorNarrowsTheInterval) {
  Draws with = draw(600, 1), without = with;
  for (auto& row : without.rows) row.spread = 1;
  double narrow = 0, wide = 0;
  covered({with.rows, with.errors, 2}, with, narrow);
  covered({without.rows, without.errors, 2}, without, wide);
  EXPECT_LT(narrow, 0.7 * wide);
}

TEST(ConformalErrors, SmallStrataFallBackToTheViewAndThenToAll) {
  Draws draws;
  draws.errors.resize(60);
  for (Index t = 0; t < 60; ++t) {
    draws.rows.push_back({t % 2, t, t < 20 ? 2 : 3, 0, 0});
    draws.errors(t) = double(t + 1);
  }
  const ConformalErrors conformal(draws.rows, draws.errors, 3);
  EXPECT_EQ(conformal.estimate({1, 0, 3, 0, 0}).high, 60);  // stratum of 20: rows 22, 24, ..., 60
  EXPECT_EQ(conformal.estimate({1, 0, 3, 0, 0}).low, 22);
  EXPECT_EQ(conformal.estimate({1, 0, 2, 0, 0}).low,
            2);  // 10 in the stratum: view 1, rows 2, 4, ...
  EXPECT_EQ(conformal.estimate({1, 0, 7, 0, 0}).low, 2);          // a number of views never seen
  const ErrorEstimate all = conformal.estimate({2, 0, 2, 0, 0});  // a view never seen: all 60
  EXPECT_EQ(all.low, 3);
  EXPECT_EQ(all.high, 58);
  EXPECT_DOUBLE_EQ(all.error, 30.5);
}

TEST(ConformalErrors, ASampleHiddenInSeveralCopiesCountsOnce) {
  Draws draws;
  draws.errors.resize(80);
  for (Index t = 0; t < 80; ++t) {
    const bool often = t >= 40;  // 5 samples with 3 views, each in 8 copies
    draws.rows.push_back({0, often ? t % 5 : t, often ? 3 : 2, 0, 0});
    draws.errors(t) = double(t + 1);
  }
  const ConformalErrors conformal(draws.rows, draws.errors, 1);
  EXPECT_EQ(conformal.estimate({0, 0, 3, 0, 0}).low, 4);    // the view: 81 * 0.05 = 4.05
  EXPECT_EQ(conformal.estimate({0, 0, 2, 0, 0}).high, 39);  // 40 samples: 41 * 0.95 = 38.95
}

TEST(ConformalErrors, AMarginPushesTheRanksOutwards) {
  Draws draws;
  draws.errors.resize(100);
  for (Index t = 0; t < 100; ++t) {
    draws.rows.push_back({0, t, 2, 0, 0});
    draws.errors(t) = double(t + 1);
  }
  // Ranks 101 * 0.05 = 5.05 and 95.95; one standard error is sqrt(100 * 0.05 * 0.95) = 2.18 ranks.
  const ErrorEstimate plain =
      ConformalErrors(draws.rows, draws.errors, 1).estimate({0, 0, 2, 0, 0});
  EXPECT_EQ(plain.low, 5);
  EXPECT_EQ(plain.high, 96);
  const ErrorEstimate wider =
      ConformalErrors(draws.rows, draws.errors, 1, 0.9, 1).estimate({0, 0, 2, 0, 0});
  EXPECT_EQ(wider.low, 2);
  EXPECT_EQ(wider.high, 99);
  EXPECT_EQ(wider.error, plain.error);
}

TEST(ConformalErrors, RowsWithoutASignalAreComparedWithThoseThatHaveOne) {
  Draws draws;
  draws.errors.resize(30);
  for (Index t = 0; t < 30; ++t) {  // too few for strata of their own: all rows together
    const Index view = t < 15 ? 0 : 1;
    const double variance = view == 0 ? std::pow(4.0, double(t % 3 - 1)) : 0;
    draws.rows.push_back({view, t % 15, 2, 0, variance});
    draws.errors(t) = view == 0 ? std::sqrt(variance) : 1;
  }
  const ConformalErrors conformal(draws.rows, draws.errors, 2);
  for (const double variance : {0.0, 1.0, 4.0}) {
    const ErrorEstimate e = conformal.estimate({0, 99, 2, 0, variance});
    const double expected = variance == 0 ? 1 : std::sqrt(variance);
    EXPECT_NEAR(e.low, expected, 1e-12);
    EXPECT_NEAR(e.error, expected, 1e-12);
    EXPECT_NEAR(e.high, expected, 1e-12);
  }
}

TEST(ConformalErrors, ASignalBeyondAllThatWereSeenCountsAsTheNearest) {
  Draws draws;
  draws.errors.resize(30);
  for (Index t = 0; t < 30; ++t) {
    const double variance = std::pow(4.0, double(t % 3 - 1));  // 1/4, 1, 4
    draws.rows.push_back({0, t, 2, 0, variance});
    draws.errors(t) = std::sqrt(variance);
  }
  const ConformalErrors conformal(draws.rows, draws.errors, 1);
  EXPECT_NEAR(conformal.estimate({0, 99, 2, 0, 1e12}).error, 2, 1e-12);
  EXPECT_NEAR(conformal.estimate({0, 99, 2, 0, 1e-6}).error, 0.5, 1e-12);
}

TEST(ConformalErrors, PooledViewsKeepTheirLevelsWhereTheseDiffer) {
  const auto draw = [](double second) {
    Draws draws;
    draws.errors.resize(30);
    for (Index t = 0; t < 30; ++t) {  // 15 samples a view: too few for strata of their own
      draws.rows.push_back({t < 15 ? 0 : 1, t % 15, 2, 0, 0});
      draws.errors(t) = (t < 15 ? 1 : second) * double(20 + t % 15);
    }
    return draws;
  };
  const Draws apart = draw(100), near = draw(1.1);
  const ConformalErrors levels(apart.rows, apart.errors, 2), pooled(near.rows, near.errors, 2);
  const ErrorEstimate small = levels.estimate({0, 99, 2, 0, 0}),
                      large = levels.estimate({1, 99, 2, 0, 0});
  EXPECT_NEAR(small.low, 20, 1e-9);
  EXPECT_NEAR(small.high, 34, 1e-9);
  EXPECT_NEAR(large.low, 2000, 1e-7);
  EXPECT_NEAR(large.high, 3400, 1e-7);
  for (const Index view : {0, 1}) {  // views that hardly differ share one interval
    EXPECT_EQ(pooled.estimate({view, 99, 2, 0, 0}).low, 20);
    EXPECT_EQ(pooled.estimate({view, 99, 2, 0, 0}).high, 1.1 * 34);
  }
}

TEST(ConformalErrors, TheEstimateLiesInItsInterval) {
  Draws draws;
  draws.errors.resize(100);
  for (Index t = 0; t < 100; ++t) {
    draws.rows.push_back({0, t, 2, 0, 0});
    draws.errors(t) = t == 50 ? 1e6 : double(t + 1);
  }
  const ErrorEstimate e = ConformalErrors(draws.rows, draws.errors, 1).estimate({0, 0, 2, 0, 0});
  EXPECT_LE(e.low, e.error);
  EXPECT_LE(e.error, e.high);
  EXPECT_NEAR(e.error, 50, 2);  // one row that went astray does not decide
}

}  // namespace
}  // namespace mkc
