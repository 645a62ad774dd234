// Expected errors after assays and losses, and the ranking, beside their definitions.

#include <cmath>

#include "advise/expectation.hpp"
#include "advise/ranking.hpp"
#include "advise/slow_reference.hpp"

#include <gtest/gtest.h>

namespace mkc::advice {
namespace {

// gain() is the fall of total() once the pair is measured, to first order in the leverages.
TEST(AdviseExpectation, GainIsTheFallOfTheTotal) {
  const JointModel model = small_model(4);
  const std::optional<LabelModel> no_labels;
  const Expectation start(model, some_errors(model), no_labels, {50, 1.3, 0.5}, 1);
  for (Index m = 0; m < 3; ++m)
    for (Index i = 0; i < model.n_samples(); ++i) {
      if (model.has(i, m)) continue;
      Expectation one = start;
      const double before = one.total();
      const Parts parts = one.gain({i, m});
      EXPECT_DOUBLE_EQ(parts.own, some_errors(model)(i, m));
      one.measure({i, m});
      one.refresh();
      const double fall = before - one.total();
      EXPECT_NEAR(parts.sum(), fall, 0.05 * parts.others + 0.02 * parts.same_sample + 1e-9);
    }
}

TEST(AdviseExpectation, LabelGainIsTheFallOfTheTotal) {
  const JointModel model = small_model(5);
  Numbers numbers{model.X.col(0) + 0.1 * model.X.col(1)};
  const std::optional<LabelModel> labels = fit_label_model(model, numbers);
  Expectation start(model, some_errors(model), labels, {50, 1.3, 0.5}, 1);
  const double whole = start.total();
  for (Index i = 0; i < model.n_samples(); ++i) {
    if (model.has(i, 0)) continue;
    Expectation one = start;
    const Parts parts = one.gain({i, 0});
    one.measure({i, 0});
    one.refresh();
    EXPECT_NEAR(parts.sum(), whole - one.total(), 0.3 * parts.others + 1e-9);
    EXPECT_GT(parts.own, 0);
  }
}

std::vector<Assay> missing_pairs(const JointModel& model) {
  std::vector<Assay> pairs;
  for (Index m = 0; m < model.n_views(); ++m)
    for (Index i = 0; i < model.n_samples(); ++i)
      if (!model.has(i, m)) pairs.push_back({i, m});
  return pairs;
}

TEST(AdviseExpectation, TotalAfterSeveralAssaysIsThatOfTheDefinition) {
  const JointModel model = small_model(7);
  const std::optional<LabelModel> no_labels;
  const AdviceCalibration calibration{50, 1.3, 0.8};
  const SlowExpectation slow{model, some_errors(model), 1.3, 0.8};
  Expectation fast(model, some_errors(model), no_labels, calibration, 1);
  Mask has = model.has;
  EXPECT_NEAR(fast.total(), slow.total(has), 1e-9);
  Index taken = 0;
  for (const Assay& assay : missing_pairs(model)) {
    if (assay.sample % 3 != 0) continue;  // all missing views of some samples
    fast.measure(assay);
    has(assay.sample, assay.view) = true;
    if (++taken % 4 != 0) continue;
    fast.refresh();
    EXPECT_NEAR(fast.total(), slow.total(has), 1e-7);
  }
  EXPECT_GT(taken, 8);
}

// What an observed pair told: the rows of its own sample and of others once it is lost.
TEST(AdviseExpectation, LossIsThatOfTheDefinition) {
  const JointModel model = small_model(8);
  const std::optional<LabelModel> no_labels;
  const double b = 1.3;
  const SlowExpectation slow{model, some_errors(model), b, 0.5};
  Expectation fast(model, some_errors(model), no_labels, {50, b, 0.5}, 1);
  const Vector typical = Vector::Constant(3, 0.4);
  Index checked = 0;
  for (Index i = 0; i < model.n_samples(); ++i)
    for (Index m = 0; m < 3; ++m) {
      if (!model.has(i, m) || model.has.row(i).count() != 2) continue;
      Mask has = model.has;
      has(i, m) = false;
      double same_sample = 0;
      for (Index u = 0; u < 3; ++u)
        if (!model.has(i, u))
          same_sample += slow.error(i, u) *
                         (std::pow(slow.open(i, u, has) / slow.open(i, u, model.has), b) - 1);
      EXPECT_NEAR(fast.loss({i, m}, typical).same_sample, same_sample, 1e-9);
      EXPECT_GT(fast.loss({i, m}, typical).own, 0);
      // other rows of the view, leverages to first order; those of other views come on top
      double others = 0;
      const Vector before = slow.leverages(m, model.has), after = slow.leverages(m, has);
      const auto n = static_cast<double>(model.has.col(m).count());
      for (Index t = 0; t < model.n_samples(); ++t)
        if (!model.has(t, m))
          others += slow.error(t, m) *
                    (std::sqrt(n / (n - 1)) - 1 + (after(t) - before(t)) / (1 + before(t)) / 2);
      EXPECT_GE(fast.loss({i, m}, typical).others, others * (1 - 1e-9));
      ++checked;
    }
  EXPECT_GT(checked, 5);
}

// The fast choice updates gains of one sample at once; the slow one computes all of them anew.
TEST(AdviseRanking, BatchIsTheGreedyChoice) {
  const JointModel model = small_model(9);
  const std::optional<LabelModel> no_labels;
  const Vector costs{{1, 2, 0.7}};
  const Expectation start(model, some_errors(model), no_labels, {50, 1.3, 0.8}, 1);
  Expectation fast = start, slow = start;
  const RankingPlan plan{missing_pairs(model), costs, 10, true, 1, {}};
  const Ranking ranking = rank(fast, model, plan);
  ASSERT_EQ(ranking.assays.size(), plan.candidates.size());
  for (std::size_t taken = 0; taken < ranking.assays.size(); ++taken) {
    double best = -1;
    for (const Assay& assay : plan.candidates)
      if (slow.is_missing(assay)) best = std::max(best, slow.gain(assay).sum() / costs(assay.view));
    EXPECT_NEAR(ranking.assays[taken].gain_per_cost, best, 1e-12);
    EXPECT_NEAR(ranking.curve[taken].error, slow.total(), 1e-9);
    slow.measure(ranking.assays[taken].assay);
    slow.refresh();
  }
}

// Regression: equal gains in a batch were compared through a queue that did not know the names.
TEST(AdviseRanking, EqualGainsAreInTheOrderOfTheNames) {
  const JointModel model = small_model(6);
  const std::optional<LabelModel> no_labels;
  Expectation expectation(model, Matrix::Zero(40, 3), no_labels, {50, 1, 0.5}, 1);  // all gain 0
  RankingPlan plan{{}, Vector::Ones(3), 10, true, 1, {}};
  for (Index m = 0; m < 3; ++m)
    for (Index i = 0; i < 40; ++i)
      if (!model.has(i, m)) plan.candidates.push_back({i, m});
  const Ranking ranking = rank(expectation, model, plan);
  ASSERT_EQ(ranking.assays.size(), plan.candidates.size());
  for (std::size_t k = 1; k < ranking.assays.size(); ++k) {
    const auto name = [&](std::size_t at_rank) {
      const Assay& assay = ranking.assays[at_rank].assay;
      return std::pair(model.samples[at(assay.sample)], model.views[at(assay.view)]);
    };
    EXPECT_EQ(ranking.assays[k].gain, 0);
    EXPECT_LT(name(k - 1), name(k));
  }
}

TEST(AdviseRanking, EnoughIsWhereAStraightLineIsFarthest) {
  // steep until 4, flat after it
  std::vector<CurvePoint> curve;
  for (Index k = 0; k <= 20; ++k) {
    const auto x = static_cast<double>(k);
    curve.push_back({k, 2 * x, k <= 4 ? 100 - 20 * x : 20 - (x - 4)});
  }
  const auto found = point_of_enough(curve);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->assays, 4);
  EXPECT_EQ(found->money, 8);
  for (CurvePoint& point : curve) point.error = 100 - static_cast<double>(point.assays);
  EXPECT_FALSE(point_of_enough(curve));
}

}  // namespace
}  // namespace mkc::advice
