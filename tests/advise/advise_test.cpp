#include "mkc/advise/advise.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "mkc/base/error.hpp"
#include "mkc/complete.hpp"
#include "support/expect_message.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

constexpr const char* fast = "mean";

Completion completed(const Problem& problem) { return complete_with_quality(problem, fast); }

test::RandomProblem usual(std::uint64_t seed) {
  return test::random_problem(seed, {.n_samples = 40, .n_views = 3, .missing = 0.35});
}

AssayAdvice advice_on(const Problem& problem, AdviceOptions options = {}) {
  return advise(problem, completed(problem), options);
}

std::map<std::pair<std::string, std::string>, const RankedAssay*> by_name(const AssayAdvice& advice,
                                                                          const Problem& problem) {
  std::map<std::pair<std::string, std::string>, const RankedAssay*> found;
  for (const auto& one : advice.ranking)
    found[{problem.samples()[at(one.assay.sample)], problem.view(one.assay.view).name}] = &one;
  return found;
}

TEST(Advise, RanksEveryMissingPairBestFirst) {
  const Problem problem = usual(1).problem();
  const Completion completion = completed(problem);
  const AssayAdvice advice = advise(problem, completion, {});
  const auto missing = problem.observed().size() - problem.observed().count();
  ASSERT_EQ(std::ssize(advice.ranking), missing);
  EXPECT_EQ(advice.missing, missing);
  double sum = 0;
  for (std::size_t k = 0; k < advice.ranking.size(); ++k) {
    const RankedAssay& one = advice.ranking[k];
    EXPECT_FALSE(problem.observed()(one.assay.sample, one.assay.view));
    EXPECT_DOUBLE_EQ(one.own, completion.quality->error(one.assay.sample, one.assay.view));
    EXPECT_DOUBLE_EQ(one.gain, one.own + one.same_sample + one.others);
    EXPECT_GE(one.same_sample, 0);
    EXPECT_GE(one.others, 0);
    EXPECT_TRUE(one.within_budget);
    if (k > 0) {
      EXPECT_GE(advice.ranking[k - 1].gain_per_cost, one.gain_per_cost);
    }
    sum += one.own;
    EXPECT_GE(advice.sample_gains(one.assay.sample), one.gain);
  }
  EXPECT_NEAR(advice.error, sum, 1e-9 * sum);
}

TEST(Advise, CurveFallsFromTheErrorNowToNothing) {
  const AssayAdvice advice = advice_on(usual(2).problem());
  ASSERT_EQ(advice.curve.size(), advice.ranking.size() + 1);
  EXPECT_DOUBLE_EQ(advice.curve.front().error, advice.error);
  for (std::size_t k = 1; k < advice.curve.size(); ++k) {
    EXPECT_LE(advice.curve[k].error, advice.curve[k - 1].error);
    EXPECT_EQ(advice.curve[k].assays, static_cast<Index>(k));
  }
  EXPECT_NEAR(advice.curve.back().error, 0, 1e-12);  // all is measured
  EXPECT_NEAR(advice.error_after, 0, 1e-12);
}

TEST(Advise, CostsDivideGainsAndFillTheBudget) {
  const Problem problem = usual(3).problem();
  AdviceOptions options;
  options.costs = Vector{{1, 3, 0.5}};
  options.budget = 4.2;
  const AssayAdvice priced = advice_on(problem, options), plain = advice_on(problem);
  const auto of_plain = by_name(plain, problem);
  double spent = 0, dearest_left = std::numeric_limits<double>::infinity();
  for (const auto& one : priced.ranking) {
    EXPECT_DOUBLE_EQ(one.cost, options.costs(one.assay.view));
    EXPECT_DOUBLE_EQ(one.gain_per_cost, one.gain / one.cost);
    EXPECT_DOUBLE_EQ(
        one.gain,
        of_plain.at({problem.samples()[at(one.assay.sample)], problem.view(one.assay.view).name})
            ->gain);
    if (one.within_budget)
      spent += one.cost;
    else
      dearest_left = std::min(dearest_left, one.cost);
  }
  EXPECT_DOUBLE_EQ(priced.spent, spent);
  EXPECT_LE(spent, options.budget);
  EXPECT_GT(spent + dearest_left, options.budget);  // nothing else fits
  EXPECT_LT(priced.error_after, priced.error);
  EXPECT_GT(priced.error_after, 0);
}

TEST(Advise, PermutedInputGivesThePermutedRanking) {
  const test::RandomProblem data = usual(4);
  Indices order(40);
  std::iota(order.begin(), order.end(), 0);
  std::reverse(order.begin(), order.end());
  std::swap(order[3], order[17]);
  const Problem first = data.problem(), second = permuted(data, order, {2, 0, 1}).problem();
  for (const bool batch : {false, true}) {
    AdviceOptions options;
    options.batch = batch;
    const AssayAdvice a = advice_on(first, options), b = advice_on(second, options);
    ASSERT_EQ(a.ranking.size(), b.ranking.size());
    EXPECT_NEAR(a.calibration.pattern_power, b.calibration.pattern_power, 1e-6);
    const auto of_b = by_name(b, second);
    for (const auto& [name, one] : by_name(a, first))
      EXPECT_NEAR(one->gain, of_b.at(name)->gain, 1e-6 * one->gain) << name.first;
    for (std::size_t k = 0; k < 5; ++k)
      EXPECT_EQ(first.samples()[at(a.ranking[k].assay.sample)],
                second.samples()[at(b.ranking[k].assay.sample)]);
  }
}

TEST(Advise, ThreadsChangeNoBit) {
  const Problem problem = usual(5).problem();
  AdviceOptions one, four;
  one.batch = four.batch = true;
  four.threads = 4;
  const AssayAdvice a = advice_on(problem, one), b = advice_on(problem, four);
  for (std::size_t k = 0; k < a.ranking.size(); ++k) {
    EXPECT_EQ(a.ranking[k].assay, b.ranking[k].assay);
    EXPECT_EQ(a.ranking[k].gain, b.ranking[k].gain);
    EXPECT_EQ(a.curve[k].error, b.curve[k].error);
  }
  for (std::size_t k = 0; k < a.observed.size(); ++k)
    EXPECT_EQ(a.observed[k].value, b.observed[k].value);
}

// After the first assay of a sample, its others are worth less than alone.
TEST(Advise, BatchLowersWhatItsNeighbourMakesSuperfluous) {
  const Problem problem = usual(6).problem();
  AdviceOptions options;
  options.batch = true;
  const AssayAdvice alone = advice_on(problem), joint = advice_on(problem, options);
  EXPECT_EQ(joint.ranking.front().assay, alone.ranking.front().assay);
  const auto gains_alone = by_name(alone, problem);
  std::vector<bool> has_one(at(problem.n_samples()), false);
  Index later = 0;
  for (const auto& one : joint.ranking) {
    const double before =
        gains_alone
            .at({problem.samples()[at(one.assay.sample)], problem.view(one.assay.view).name})
            ->gain;
    EXPECT_LE(one.gain, before * (1 + 1e-9));
    if (has_one[at(one.assay.sample)]) {
      ++later;
      EXPECT_LT(one.gain, before);
    }
    has_one[at(one.assay.sample)] = true;
  }
  EXPECT_GT(later, 0);
}

TEST(Advise, CandidatesAreAllThatIsRanked) {
  const Problem problem = usual(7).problem();
  AdviceOptions options;
  for (const Index i : problem.missing(1)) options.candidates.push_back({i, 1});
  const AssayAdvice advice = advice_on(problem, options);
  ASSERT_EQ(advice.ranking.size(), problem.missing(1).size());
  for (const auto& one : advice.ranking) EXPECT_EQ(one.assay.view, 1);
  EXPECT_GT(advice.curve.back().error, 0);  // rows of other views are still missing
}

TEST(Advise, ObservedAssaysAreListedThoseThatToldLeastFirst) {
  const Problem problem = usual(8).problem();
  const AssayAdvice advice = advice_on(problem);
  Index expected = 0;
  for (Index i = 0; i < problem.n_samples(); ++i)
    if (const Index count = problem.observed().row(i).count(); count > 1) expected += count;
  ASSERT_EQ(std::ssize(advice.observed), expected);
  for (std::size_t k = 0; k < advice.observed.size(); ++k) {
    const auto& one = advice.observed[k];
    EXPECT_TRUE(problem.observed()(one.assay.sample, one.assay.view));
    EXPECT_GE(one.value, 0);
    if (k > 0) {
      EXPECT_LE(advice.observed[k - 1].value_per_cost, one.value_per_cost);
    }
  }
}

// A label that one view alone tells: assays of that view come first.
TEST(Advise, LabelsPreferTheViewThatTellsThem) {
  test::RandomProblem data = usual(9);
  Numbers label{Vector(40)};
  std::uint64_t state = 12345;
  for (Index i = 0; i < 40; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    label.of_sample(i) = static_cast<double>(state >> 40) / double(1 << 24) - 0.5;
  }
  // nothing else in view 1 than the label
  data.truth[1] = 20 * label.of_sample * label.of_sample.transpose();
  data.truth[1].diagonal().array() += 0.01;
  const Problem problem = data.problem();
  AdviceOptions options;
  options.target = label;
  const AssayAdvice advice = advice_on(problem, options);
  EXPECT_TRUE(advice.of_labels);
  const auto half = problem.missing(1).size() / 2;
  for (std::size_t k = 0; k < half; ++k) EXPECT_EQ(advice.ranking[k].assay.view, 1);
}

TEST(Advise, EveryKindOfLabelIsRanked) {
  const Problem problem = usual(10).problem();
  Labels classes{{"a", "b", "c"}, Indices(40)};
  Numbers numbers{Vector(40)};
  Survival survival{Vector(40), Vector(40)};
  for (Index i = 0; i < 40; ++i) {
    classes.of_sample[at(i)] = i % 4 == 3 ? -1 : i % 3;
    numbers.of_sample(i) = static_cast<double>(i * i % 17);
    survival.time(i) = static_cast<double>(5 + i * 7 % 31);
    survival.event(i) = i % 2 == 0 ? 1 : 0;
  }
  for (const Target& target : {Target(classes), Target(numbers), Target(survival)}) {
    AdviceOptions options;
    options.target = target;
    const AssayAdvice advice = advice_on(problem, options);
    EXPECT_GT(advice.error, 0);
    EXPECT_LT(advice.curve.back().error, 1e-9 + 0.01 * advice.error);
    for (const auto& one : advice.ranking) EXPECT_TRUE(std::isfinite(one.gain) && one.gain >= 0);
  }
}

TEST(Advise, RefusesWhatCannotBeRanked) {
  const Problem problem = usual(11).problem();
  const Completion completion = completed(problem);
  const auto with = [&](auto change) {
    AdviceOptions options;
    change(options);
    return [=, &problem, &completion] { advise(problem, completion, options); };
  };
  const Index m = 1, observed = problem.view(m).rows[0], missing = problem.missing(m)[0];
  test::expect_message(with([](auto& o) { o.costs = Vector{{1, -2, 1}}; }),
                       "the cost of view 'v1' is -2");
  test::expect_message(with([](auto& o) { o.costs = Vector{{1, 2}}; }), "2 values for 3 views");
  test::expect_message(with([](auto& o) {
                         o.costs = Vector{{5, 2, 4}};
                         o.budget = 1;
                       }),
                       "below the cheapest candidate: an assay of view 'v1' costs 2");
  test::expect_message(with([](auto& o) { o.budget = -1; }), "the budget is -1");
  test::expect_message(with([&](auto& o) { o.candidates = {{observed, m}}; }),
                       "in view 'v1' is already observed");
  test::expect_message(with([&](auto& o) { o.candidates = {{missing, m}, {missing, m}}; }),
                       "is given twice");
  test::expect_message(with([&](auto& o) { o.candidates = {{40, m}}; }), "does not exist");
  test::expect_message([&] { advise(problem, complete(problem, fast), {}); }, "no error estimates");
  test::RandomProblem whole = usual(12);
  whole.observed.setConstant(true);
  test::expect_message([&] { advise(whole.problem(), completion, {}); }, "nothing is missing");
  Labels one_class{{"a"}, Indices(40, 0)};
  test::expect_message(with([&](auto& o) { o.target = one_class; }), "all labels are equal");
  const Survival no_events{Vector::LinSpaced(40, 1, 40), Vector::Zero(40)};
  test::expect_message(with([&](auto& o) { o.target = no_events; }), "none of the 40 samples");
  test::expect_message(with([](auto& o) { o.costs = Vector{{1, 1e300, 1}}; }),
                       "the cost of view 'v1' is 1e+300");
}

// F with F F' = K.
Matrix root_of(const Matrix& K) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(K);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
}

TEST(Advise, FactorFormRanksAsDenseForm) {
  const test::RandomProblem data = usual(14);
  const Problem problem = data.problem();
  const Completion completion = completed(problem);
  CompletedFactors factors{data.samples, data.views, {}, data.observed, *completion.quality};
  for (const Matrix& K : data.truth) factors.features.push_back(root_of(K));
  for (const bool batch : {false, true}) {
    AdviceOptions options;
    options.batch = batch;
    const AssayAdvice dense = advise(problem, completion, options),
                      factor = advise(factors, options);
    EXPECT_NEAR(factor.error, dense.error, 1e-12);
    EXPECT_NEAR(factor.calibration.sample_rate, dense.calibration.sample_rate, 1e-4);
    ASSERT_EQ(factor.ranking.size(), dense.ranking.size());
    const auto of_dense = by_name(dense, problem);
    for (const auto& one : factor.ranking) {
      const double gain =
          of_dense.at({data.samples[at(one.assay.sample)], data.views[at(one.assay.view)]})->gain;
      EXPECT_NEAR(one.gain, gain, 1e-4 * gain);
    }
  }
}

TEST(Advise, RefusesFactorsOfOtherSizes) {
  const test::RandomProblem data = usual(15);
  const Quality quality = *completed(data.problem()).quality;
  CompletedFactors factors{data.samples, data.views, data.truth, data.observed, quality};
  factors.features[1] = Matrix::Zero(39, 4);
  test::expect_message([&] { advise(factors, {}); }, "view 'v1': features of 39 samples");
  factors.features.pop_back();
  test::expect_message([&] { advise(factors, {}); }, "features of 2 views; there are 3 views");
  factors = {data.samples, data.views, data.truth, data.observed, quality};
  factors.observed.setConstant(true);
  test::expect_message([&] { advise(factors, {}); }, "nothing is missing");
  factors.observed = Mask::Constant(40, 2, false);
  test::expect_message([&] { advise(factors, {}); }, "observed is 40 x 2");
}

TEST(Advise, StopsWhenAsked) {
  const Problem problem = usual(13).problem();
  AdviceOptions options;
  options.progress = [](const Progress&) { return false; };
  EXPECT_THROW(advice_on(problem, options), InterruptedError);
}

}  // namespace
}  // namespace mkc
