// Intervals for errors: coverage on fresh draws, the strata, and the effect of a good signal.
#include "select/conformal.hpp"

#include <algorithm>
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

// The end of the interval of `row` from the scores of the rows for which keep(t); rank from below.
template <class Keep>
double end_from(const Draws& draws, Index n_views, const RowSignals& row, std::size_t rank,
                Keep keep) {
  const ErrorScale scale(draws.rows, draws.errors, n_views,
                         std::vector<bool>(draws.rows.size(), true));
  std::vector<double> scores;
  for (std::size_t t = 0; t < draws.rows.size(); ++t)
    if (keep(draws.rows[t]))
      scores.push_back(draws.errors(static_cast<Index>(t)) / std::exp(scale.log_of(draws.rows[t])));
  std::sort(scores.begin(), scores.end());
  return scores.at(rank - 1) * std::exp(scale.log_of(row));
}

TEST(ConformalErrors, SmallStrataFallBackToTheViewAndThenToAll) {
  Draws draws;
  draws.errors.resize(60);
  for (Index t = 0; t < 60; ++t) {
    draws.rows.push_back({t % 2, t, t < 20 ? 2 : 3, 0, 0});
    draws.errors(t) = double(t + 1);
  }
  const ConformalErrors conformal(draws.rows, draws.errors, 3);
  const RowSignals large{1, 0, 3}, small{1, 0, 2}, unseen{1, 0, 7}, other{2, 0, 2};
  const auto in_stratum = [](const RowSignals& r) { return r.view == 1 && r.observed_views == 3; };
  const auto in_view = [](const RowSignals& r) { return r.view == 1; };
  const auto any = [](const RowSignals&) { return true; };
  EXPECT_NEAR(conformal.estimate(large).low, end_from(draws, 3, large, 1, in_stratum), 1e-9);
  EXPECT_NEAR(conformal.estimate(large).high, end_from(draws, 3, large, 20, in_stratum), 1e-9);
  EXPECT_NEAR(conformal.estimate(small).low, end_from(draws, 3, small, 1, in_view), 1e-9);
  EXPECT_NEAR(conformal.estimate(unseen).low, end_from(draws, 3, unseen, 1, in_view), 1e-9);
  EXPECT_NEAR(conformal.estimate(other).low, end_from(draws, 3, other, 3, any), 1e-9);
  EXPECT_NEAR(conformal.estimate(other).high, end_from(draws, 3, other, 58, any), 1e-9);
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
  const RowSignals many{0, 0, 3}, few{0, 0, 2};
  EXPECT_NEAR(conformal.estimate(many).low,  // the view: 81 * 0.05 = 4.05
              end_from(draws, 1, many, 4, [](const RowSignals&) { return true; }), 1e-9);
  EXPECT_NEAR(
      conformal.estimate(few).high,  // 40 samples: 41 * 0.95 = 38.95
      end_from(draws, 1, few, 39, [](const RowSignals& r) { return r.observed_views == 2; }), 1e-9);
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
  draws.errors.resize(6000);          // so many that the ridge hardly counts
  for (Index t = 0; t < 6000; ++t) {  // too few samples for strata of their own: all rows together
    const Index view = t < 3000 ? 0 : 1;
    const double variance = view == 0 ? std::pow(4.0, double(t % 3 - 1)) : 0;
    draws.rows.push_back({view, t % 15, 2, 0, variance});
    draws.errors(t) = view == 0 ? std::sqrt(variance) : 1;
  }
  const ConformalErrors conformal(draws.rows, draws.errors, 2);
  for (const double variance : {0.0, 1.0, 4.0}) {
    const ErrorEstimate e = conformal.estimate({0, 99, 2, 0, variance});
    const double expected = variance == 0 ? 1 : std::sqrt(variance);
    EXPECT_NEAR(e.low, expected, 0.01 * expected);
    EXPECT_NEAR(e.error, expected, 0.01 * expected);
    EXPECT_NEAR(e.high, expected, 0.01 * expected);
  }
}

TEST(ConformalErrors, ASignalBeyondAllThatWereSeenCountsAsTheNearest) {
  Draws draws;
  draws.errors.resize(3000);
  for (Index t = 0; t < 3000; ++t) {
    const double variance = std::pow(4.0, double(t % 3 - 1));  // 1/4, 1, 4
    draws.rows.push_back({0, t, 2, 0, variance});
    draws.errors(t) = std::sqrt(variance);
  }
  const ConformalErrors conformal(draws.rows, draws.errors, 1);
  EXPECT_NEAR(conformal.estimate({0, 99, 2, 0, 1e12}).error, 2, 0.02);
  EXPECT_NEAR(conformal.estimate({0, 99, 2, 0, 1e-6}).error, 0.5, 0.005);
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

// Rows like those that are missing count with their odds: the quantiles are those of a sample in
// which each row is repeated as often.
TEST(ConformalErrors, OddsCountLikeRepeatedRows) {
  Draws weighted, repeated;
  for (Index t = 0; t < 40; ++t) {
    RowSignals row{0, t, 2};
    row.odds = double(1 + t % 3);
    weighted.rows.push_back(row);
    for (Index k = 0; k < 1 + t % 3; ++k) repeated.rows.push_back({0, t, 2});
  }
  weighted.errors = Vector::LinSpaced(40, 1, 40);
  repeated.errors.resize(std::ssize(repeated.rows));
  for (Index t = 0; t < repeated.errors.size(); ++t)
    repeated.errors(t) = double(1 + repeated.rows[at(t)].sample);
  const ErrorEstimate found =
      ConformalErrors(weighted.rows, weighted.errors, 1).estimate({0, 0, 2});
  const ErrorEstimate expected =
      ConformalErrors(repeated.rows, repeated.errors, 1).estimate({0, 0, 2});
  EXPECT_EQ(found.low, expected.low);
  EXPECT_EQ(found.high, expected.high);
  EXPECT_NEAR(found.error, expected.error, 1e-12);
}

// Samples that lose views more often because they are hard: the hidden rows are the easy ones.
TEST(ConformalErrors, OddsRestoreTheCoverageOfRowsThatAreMissingBecauseTheyAreHard) {
  Random random(5);
  Draws easy, hard;
  std::vector<double> known, missing;
  for (Index t = 0; t < 6000; ++t) {
    const double difficulty = random.uniform();
    RowSignals row{0, t, 2};
    row.odds = std::exp(3 * difficulty - 1.5);
    const double error = 0.1 * std::exp(2 * difficulty + 0.2 * random.normal());
    const bool lost = random.uniform() < row.odds / (1 + row.odds);
    (lost ? hard : easy).rows.push_back(row);
    (lost ? missing : known).push_back(error);
  }
  easy.errors = Eigen::Map<const Vector>(known.data(), std::ssize(known));
  hard.errors = Eigen::Map<const Vector>(missing.data(), std::ssize(missing));
  double width = 0;
  EXPECT_NEAR(covered({easy.rows, easy.errors, 1}, hard, width), 0.9, 0.03);
  for (auto& row : easy.rows) row.odds = 1;
  EXPECT_LT(covered({easy.rows, easy.errors, 1}, hard, width), 0.87);
}

// The scores of a fold do not depend on how the scale would fit its own errors.
TEST(ConformalErrors, TheScaleOfARowIsFittedOnOtherFolds) {
  Draws draws = draw(400, 3);
  Folds folds;
  for (Index t = 0; t < 400; ++t) folds.of_row.push_back(t % 2 == 0 ? 0 : 5);
  folds.judged = {5};
  const ConformalErrors split(draws.rows, draws.errors, 2, 0.9, 0, folds);
  std::vector<bool> choosing;
  for (const int fold : folds.of_row) choosing.push_back(fold == 0);
  const ErrorScale scale(draws.rows, draws.errors, 2, choosing);
  std::vector<double> scores;  // of view 0 with two observed views
  for (std::size_t t = 0; t < 400; ++t)
    if (!choosing[t] && draws.rows[t].view == 0 && draws.rows[t].observed_views == 2)
      scores.push_back(draws.errors(Index(t)) / std::exp(scale.log_of(draws.rows[t])));
  std::sort(scores.begin(), scores.end());
  ASSERT_GE(scores.size(), 20u);
  RowSignals row = draws.rows[1];
  row.view = 0;
  row.observed_views = 2;
  const double high =
      scores[std::min(scores.size(), std::size_t(std::ceil(double(scores.size() + 1) * 0.95))) - 1];
  EXPECT_NEAR(split.estimate(row).high, high * std::exp(scale.log_of(row)), 1e-12);
}

}  // namespace
}  // namespace mkc
