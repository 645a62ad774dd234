#include <cmath>

#include "base/random.hpp"
#include "evaluate/centred_blocks.hpp"
#include "evaluate/cox.hpp"
#include "evaluate/nested.hpp"
#include "evaluate/prediction_scores.hpp"
#include "mkc/base/error.hpp"
#include "mkc/combine.hpp"
#include "mkc/evaluate/label_scores.hpp"
#include "numeric/blocks.hpp"
#include "support/expect_message.hpp"
#include "support/symmetric_solve.hpp"

namespace mkc {
namespace {

Indices count_from(Index first, Index n) {
  Indices rows;
  for (Index i = first; i < first + n; ++i) rows.push_back(i);
  return rows;
}

// Points whose first column decides the labels, and points that do not.
struct Cohort {
  Matrix signal, noise;
  Strings samples;
  Numbers numbers;
  Survival survival;

  std::vector<Matrix> kernels() const {
    return {signal * signal.transpose(), noise * noise.transpose()};
  }
};

// Times are exponential with hazard exp(2.5 x); about a quarter are censored, and all are rounded,
// so that some are equal.
Cohort cohort(Index n, std::uint64_t seed = 1) {
  Cohort made{Matrix(n, 3), Matrix(n, 3), {}, {Vector(n)}, {Vector(n), Vector(n)}};
  for (Index i = 0; i < n; ++i) {
    made.samples.push_back("s" + std::to_string(i));
    Random random(seed, made.samples.back());
    for (Index j = 0; j < 3; ++j) {
      made.signal(i, j) = random.normal();
      made.noise(i, j) = random.normal();
    }
    made.numbers.of_sample(i) = 40 + 5 * made.signal(i, 0) + 0.2 * random.normal();
    const double event = -std::log(1 - random.uniform()) * std::exp(-2.5 * made.signal(i, 0)),
                 censored = -std::log(1 - random.uniform()) * 4;
    made.survival.time(i) = std::round(100 * std::min(event, censored)) / 100;
    made.survival.event(i) = event <= censored ? 1 : 0;
  }
  return made;
}

TEST(CentredBlocks, AreThoseOfPointsAroundTheCentreOfTheKnown) {
  const Cohort data = cohort(12);
  const Indices known = count_from(0, 8), asked = count_from(8, 4);
  const CentredBlocks blocks = centred_blocks(data.signal * data.signal.transpose(), known, asked);
  const Matrix centred = data.signal.rowwise() - data.signal.topRows(8).colwise().mean();
  EXPECT_TRUE(blocks.known.isApprox(centred.topRows(8) * centred.topRows(8).transpose(), 1e-12));
  EXPECT_TRUE(blocks.asked.isApprox(centred.bottomRows(4) * centred.topRows(8).transpose(), 1e-12));
}

// In the features: (X'X + ridge I) beta = X'y, with X and y centred.
TEST(Ridge, IsThatOfTheFeatures) {
  const Cohort data = cohort(30);
  const Indices known = count_from(0, 24), asked = count_from(24, 6);
  const Matrix K = data.signal * data.signal.transpose();
  const Vector found = ridge_learner(K, data.numbers).predict(known, asked, 0.05);
  const Matrix X = data.signal.rowwise() - data.signal.topRows(24).colwise().mean();
  const Matrix T = X.topRows(24);
  const Vector y = data.numbers.of_sample.head(24);
  const Matrix normal = T.transpose() * T + 0.05 * 24 * Matrix::Identity(3, 3);
  const Vector right = T.transpose() * Vector(y.array() - y.mean());
  const Vector beta = test::symmetric_solve(normal, right);
  const Vector expected = (X.bottomRows(6) * beta).array() + y.mean();
  EXPECT_TRUE(found.isApprox(expected, 1e-9));
}

// The optimum is where the slow objective does not fall in any direction.
TEST(Cox, MinimisesItsObjective) {
  const Cohort data = cohort(40);
  const Matrix K = data.signal * data.signal.transpose();
  for (const double ridge : {0.04, 4.0, 400.0}) {
    const Vector alpha = fit_cox(K, data.survival, ridge);
    const auto objective = [&](const Vector& a) {
      return -partial_log_likelihood(data.survival, K * a) + ridge / 2 * a.dot(K * a);
    };
    const double least = objective(alpha);
    Random random(3);
    for (int trial = 0; trial < 30; ++trial) {
      Vector step(40);
      for (Index i = 0; i < 40; ++i) step(i) = 1e-3 * random.normal();
      EXPECT_GE(objective(alpha + step), least - 1e-9);
    }
    // and the gradient K (ridge alpha - residuals) vanishes
    const Vector gradient = K * (ridge * alpha - martingale_residuals(data.survival, K * alpha));
    EXPECT_LT(gradient.norm(), 1e-5 * K.norm());
  }
}

// One feature and hardly any ridge: the maximum of the likelihood along a line, by bisection.
TEST(Cox, OneFeatureWithoutRidgeIsMaximumLikelihood) {
  const Cohort data = cohort(50);
  const Vector x = data.signal.col(0).array() - data.signal.col(0).mean();
  const auto slope = [&](double beta) {
    return x.dot(martingale_residuals(data.survival, beta * x));
  };
  double low = 0, high = 20;
  for (int halving = 0; halving < 80; ++halving)
    (slope((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  const Vector alpha = fit_cox(x * x.transpose(), data.survival, 1e-9);
  EXPECT_NEAR(x.dot(alpha), low, 1e-5);
  EXPECT_GT(low, 1);  // 2.5 was simulated
}

TEST(Nested, NumbersOfAViewArePredicted) {
  const Cohort data = cohort(60);
  const auto r2 = [&](const Matrix& K) {
    const auto found =
        nested_cross_validation([&](const Indices&) { return K; }, data.numbers, data.samples, 1);
    return r_squared(data.numbers.of_sample, found.predicted).value;
  };
  const auto kernels = data.kernels();
  EXPECT_GT(r2(kernels[0]), 0.98);
  EXPECT_LT(r2(kernels[1]), 0.15);
}

TEST(Nested, SurvivalOfAViewIsPredicted) {
  const Cohort data = cohort(120);
  const auto index = [&](const Matrix& K) {
    const auto found =
        nested_cross_validation([&](const Indices&) { return K; }, data.survival, data.samples, 1);
    return concordance_within(data.survival, found.predicted, found.fold).value;
  };
  const auto kernels = data.kernels();
  EXPECT_GT(index(kernels[0]), 0.8);
  EXPECT_NEAR(index(kernels[1]), 0.5, 0.12);
}

// Another label of a sample must not change its own prediction.
TEST(Nested, TheLabelOfASampleIsNotUsedForIt) {
  Cohort data = cohort(30);
  const Matrix K = data.kernels()[0];
  const auto predicted = [&](const Numbers& numbers) {
    return nested_cross_validation([&](const Indices&) { return K; }, numbers, data.samples, 1)
        .predicted;
  };
  const double before = predicted(data.numbers)(7);
  data.numbers.of_sample(7) += 1000;
  EXPECT_EQ(predicted(data.numbers)(7), before);
}

// Labels that have nothing to do with the kernel are predicted no better than by chance, also where
// the weights of the views and the regularisation are learnt from them.
TEST(Nested, RandomLabelsArePredictedByChance) {
  constexpr int draws = 12;
  constexpr Index n = 60;
  double accuracies = 0, r2 = 0, concordances = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const Cohort data = cohort(n, 100 + static_cast<std::uint64_t>(draw));
    const Cohort other = cohort(n, 200 + static_cast<std::uint64_t>(draw));
    const std::vector<Matrix> kernels = data.kernels();
    Strings classes;
    for (Index i = 0; i < n; ++i) classes.emplace_back(other.signal(i, 1) > 0 ? "a" : "b");
    const Labels labels = make_labels(classes);
    const auto predicted = [&](const Target& target) {
      const KernelFor learnt = [&](const Indices& known) {
        std::vector<Matrix> blocks;
        for (const auto& K : kernels) blocks.push_back(submatrix(K, known, known));
        try {
          return weighted_sum(kernels, alignf_weights(blocks, restricted(target, known)));
        } catch (const InputError&) {  // no view is aligned
          return weighted_sum(kernels, equal_weights(2));
        }
      };
      return nested_cross_validation(learnt, target, data.samples, 1);
    };
    Indices found;
    for (const double value : predicted(labels).predicted)
      found.push_back(static_cast<Index>(value));
    accuracies += accuracy(labels.of_sample, found) / draws;
    r2 += r_squared(other.numbers.of_sample, predicted(other.numbers).predicted).value / draws;
    const NestedPrediction risks = predicted(other.survival);
    concordances += concordance_within(other.survival, risks.predicted, risks.fold).value / draws;
  }
  const double four_errors = 4 * 0.5 / std::sqrt(draws * static_cast<double>(n));
  EXPECT_NEAR(accuracies, 0.5, four_errors);
  EXPECT_LE(r2, 0.02);
  EXPECT_NEAR(concordances, 0.5, four_errors);
}

TEST(Nested, FollowsPermutationsOfTheSamples) {
  const Cohort data = cohort(40);
  Indices backwards = count_from(0, 40);
  std::reverse(backwards.begin(), backwards.end());
  const Matrix K = data.kernels()[0], turned = submatrix(K, backwards, backwards);
  const Strings names(data.samples.rbegin(), data.samples.rend());
  for (const Target& target : {Target(data.numbers), Target(data.survival)}) {
    const auto there =
        nested_cross_validation([&](const Indices&) { return K; }, target, data.samples, 3);
    const auto back = nested_cross_validation([&](const Indices&) { return turned; },
                                              restricted(target, backwards), names, 3);
    EXPECT_TRUE(back.predicted.reverse().isApprox(there.predicted, 1e-7));
  }
}

// From the definition: the score without each sample.
TEST(PredictionScores, StandardErrorsAreThoseOfTheJackknife) {
  const Cohort data = cohort(20);
  const Vector predicted = data.signal.col(0) * 4;
  const Indices fold(20, 0);
  const auto slow = [](const std::vector<double>& without) {
    double mean = 0, sum = 0;
    for (const double s : without) mean += s / double(without.size());
    for (const double s : without) sum += (s - mean) * (s - mean);
    return std::sqrt(sum * double(without.size() - 1) / double(without.size()));
  };
  const auto r2_of = [&](const Indices& rows) {
    const Vector y = data.numbers.of_sample(rows), f = predicted(rows);
    return 1 - (y - f).squaredNorm() / (y.array() - y.mean()).square().sum();
  };
  std::vector<double> r2s, indices;
  for (Index left_out = 0; left_out < 20; ++left_out) {
    Indices rows = count_from(0, 20);
    rows.erase(rows.begin() + left_out);
    r2s.push_back(r2_of(rows));
    indices.push_back(concordance(data.survival.restricted(rows), predicted(rows)));
  }
  const Estimate r2 = r_squared(data.numbers.of_sample, predicted);
  EXPECT_NEAR(r2.value, r2_of(count_from(0, 20)), 1e-12);
  EXPECT_NEAR(r2.error, slow(r2s), 1e-12);
  const Estimate index = concordance_within(data.survival, predicted, fold);
  EXPECT_NEAR(index.value, concordance(data.survival, predicted), 1e-14);
  EXPECT_NEAR(index.error, slow(indices), 1e-12);
}

TEST(PredictionScores, OnlyPairsOfOneFoldAreCompared) {
  const Survival truth{Vector{{1, 2, 3, 4}}, Vector{{1, 1, 1, 1}}};
  // in each fold rightly ordered, between them not
  EXPECT_EQ(concordance_within(truth, Vector{{2, 1, 9, 8}}, {0, 0, 1, 1}).value, 1);
  EXPECT_LT(concordance(truth, Vector{{2, 1, 9, 8}}), 0.5);
}

TEST(Alignf, TheViewWithTheLabelsHasTheLargestWeight) {
  const Cohort data = cohort(60);
  for (const Target& target : {Target(data.numbers), Target(data.survival)}) {
    const Vector joint = alignf_weights(data.kernels(), target),
                 single = alignment_weights(data.kernels(), target);
    EXPECT_NEAR(joint.sum(), 1, 1e-12);
    EXPECT_GT(joint(0), 0.7);
    EXPECT_GT(single(0), 0.7);
  }
}

// No other weights are better aligned, on a grid over the simplex.
TEST(Alignf, NoOtherWeightsAreBetterAligned) {
  const Cohort data = cohort(40);
  std::vector<Matrix> kernels = data.kernels();
  kernels.push_back(Matrix(kernels[0].array().square()) * 50);
  const Target target = data.numbers;
  const Matrix wanted = target_kernel(target);
  for (const bool scale : {true, false}) {
    const auto alignment = [&](const Vector& weights) {
      return centred_alignment(combine_kernels(kernels, weights, {"a", "b", "c"}, scale), wanted);
    };
    const double best = alignment(alignf_weights(kernels, target, scale));
    for (int i = 0; i <= 20; ++i)
      for (int j = 0; j + i <= 20; ++j)
        EXPECT_LE(alignment(Vector{{i / 20.0, j / 20.0, (20 - i - j) / 20.0}}), best + 1e-6);
  }
}

TEST(Alignf, AViewGivenTwiceSharesItsWeight) {
  const Cohort data = cohort(40);
  const auto kernels = data.kernels();
  const Vector once = alignf_weights(kernels, data.numbers),
               twice = alignf_weights({kernels[0], kernels[1], 3 * kernels[0]}, data.numbers);
  EXPECT_NEAR(twice(0), twice(2), 1e-6);
  EXPECT_NEAR(twice(0) + twice(2), once(0), 1e-4);
}

TEST(Alignf, LabelsOfOtherSamplesOnlyAreUsed) {
  Cohort data = cohort(40);
  const auto kernels = data.kernels();
  for (Index i = 30; i < 40; ++i) data.numbers.of_sample(i) = std::nan("");
  std::vector<Matrix> blocks;
  for (const auto& K : kernels) blocks.push_back(K.topLeftCorner(30, 30));
  const Vector some = alignf_weights(kernels, data.numbers, false),
               alone = alignf_weights(blocks, data.numbers.restricted(count_from(0, 30)), false);
  EXPECT_TRUE(some.isApprox(alone, 1e-9));
}

// Weights by labels must not see those of the test samples: pure noise stays at zero.
TEST(LabelScores, WeightsAreLearntWithinTheTrainingFolds) {
  const Cohort data = cohort(60);
  Mask observed = Mask::Constant(60, 2, true);
  observed(3, 0) = observed(5, 1) = false;
  const Problem problem(data.kernels(), observed);
  const auto r2 = [&](const Target& target, ViewWeighting weighting) {
    return label_scores(problem, data.kernels(), target, 1, weighting).front().r2;
  };
  for (const auto weighting : {ViewWeighting::alignment, ViewWeighting::alignf}) {
    EXPECT_GT(r2(data.numbers, weighting), r2(data.numbers, ViewWeighting::mean));
    EXPECT_GT(r2(data.numbers, weighting), 0.95);
  }
  const Cohort other = cohort(60, 2);
  EXPECT_LT(r2(other.numbers, ViewWeighting::alignf), 0.1);
}

TEST(LabelScores, NumbersAndSurvivalHaveTheirOwnScores) {
  const Cohort data = cohort(60);
  Mask observed = Mask::Constant(60, 2, true);
  for (Index i = 0; i < 10; ++i) observed(i, i % 2) = false;
  const Problem problem(data.kernels(), observed);
  Numbers numbers = data.numbers;
  numbers.of_sample(20) = std::nan("");  // not every sample needs a label
  const auto found = label_scores(problem, data.kernels(), numbers, 1);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].samples, 59);
  EXPECT_EQ(found[1].samples, 49);
  EXPECT_TRUE(std::isnan(found[0].accuracy) && std::isnan(found[0].concordance));
  EXPECT_GT(found[0].r2, 0.8);
  EXPECT_GT(found[0].standard_error, 0);
  const auto cases = complete_case_scores(problem, data.survival, 1);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].samples, 50);
  EXPECT_GT(cases[0].concordance, 0.75);
  for (Index i = 0; i < 45; ++i) observed(i, i % 2) = false;
  const Problem small(data.kernels(), observed);
  Numbers few = numbers;
  few.of_sample.tail(9).setConstant(std::nan(""));
  test::expect_message([&] { complete_case_scores(small, few, 1); },
                       "of the samples observed in every view: 6 of");
}

}  // namespace
}  // namespace mkc
