#include <numeric>

#include "analyse/spectral.hpp"
#include "base/random.hpp"
#include "evaluate/nested.hpp"
#include "mkc/combine.hpp"
#include "mkc/evaluate/label_scores.hpp"
#include "numeric/blocks.hpp"
#include "support/expect_message.hpp"

namespace mkc {
namespace {

struct Groups {
  Strings samples;
  Labels labels;
  Matrix points;  // (n, 3)

  Matrix kernel() const { return points * points.transpose(); }
};

// Three groups of points, `distance` apart from the centre, with noise of variance one.
Groups groups(Index n, double distance) {
  Groups result;
  Strings texts;
  result.points = Matrix::Zero(n, 3);
  for (Index i = 0; i < n; ++i) {
    result.samples.push_back("s" + std::to_string(i));
    texts.push_back("c" + std::to_string(i % 3));
    Random random(5, result.samples.back());
    for (Index j = 0; j < 3; ++j)
      result.points(i, j) = random.normal() + (i % 3 == j ? distance : 0);
  }
  result.labels = make_labels(texts);
  return result;
}

Indices backwards(Index n) {
  Indices order(static_cast<std::size_t>(n));
  std::iota(order.rbegin(), order.rend(), Index{0});
  return order;
}

template <class Values>
Values reversed(Values values) {
  return Values(values.rbegin(), values.rend());
}

Indices cross_validated_svm(const Matrix& K, const Labels& labels, const Strings& samples,
                            std::uint64_t seed) {
  const Vector predicted =
      nested_cross_validation([&](const Indices&) { return K; }, labels, samples, seed).predicted;
  Indices classes;
  for (const double value : predicted) classes.push_back(static_cast<Index>(value));
  return classes;
}

TEST(Svm, SeparatesDistinctGroups) {
  const Groups data = groups(45, 12);
  EXPECT_EQ(cross_validated_svm(data.kernel(), data.labels, data.samples, 1),
            data.labels.of_sample);
}

TEST(Svm, PredictsByChanceWithoutStructure) {
  const Groups data = groups(90, 0);
  const Indices predicted = cross_validated_svm(data.kernel(), data.labels, data.samples, 1);
  EXPECT_NEAR(accuracy(data.labels.of_sample, predicted), 1.0 / 3, 0.2);
}

// The prediction of a sample must not use its own label: a label that no other sample has is never
// predicted.
TEST(Svm, DoesNotSeeTheLabelOfTheSampleItPredicts) {
  const Groups data = groups(30, 12);
  Strings texts;
  for (const Index k : data.labels.of_sample) texts.push_back("c" + std::to_string(k));
  texts[7] = "unique";
  const Labels labels = make_labels(texts);
  const Indices predicted = cross_validated_svm(data.kernel(), labels, data.samples, 1);
  EXPECT_EQ(predicted[7], 1);  // its neighbours' class
}

TEST(Svm, FollowsPermutationsOfTheSamples) {
  const Groups data = groups(40, 1.5);
  const Indices order = backwards(40);
  const Indices there = cross_validated_svm(data.kernel(), data.labels, data.samples, 3);
  const Indices back =
      cross_validated_svm(submatrix(data.kernel(), order, order), data.labels.restricted(order),
                          reversed(data.samples), 3);
  EXPECT_EQ(reversed(back), there);
}

TEST(Clustering, FindsSeparateGroups) {
  const Groups data = groups(60, 10);
  const Indices found = spectral_clusters(data.kernel(), 3, data.samples, 1);
  EXPECT_NEAR(adjusted_rand_index(found, data.labels.of_sample), 1, 1e-12);
}

TEST(Clustering, FollowsPermutationsOfTheSamples) {
  const Groups data = groups(40, 2);
  const Indices order = backwards(40);
  const Indices there = spectral_clusters(data.kernel(), 3, data.samples, 3);
  const Indices back =
      spectral_clusters(submatrix(data.kernel(), order, order), 3, reversed(data.samples), 3);
  EXPECT_NEAR(adjusted_rand_index(reversed(back), there), 1, 1e-12);
}

TEST(Combine, VarianceIsTheMeanSquaredDistanceToTheCentre) {
  const Groups data = groups(20, 3);
  const Matrix centred = data.points.rowwise() - data.points.colwise().mean();
  EXPECT_NEAR(kernel_variance(data.kernel()), centred.squaredNorm() / 20, 1e-12);
  const Matrix shifted = data.points.array() + 100;
  EXPECT_NEAR(kernel_variance(shifted * shifted.transpose()), centred.squaredNorm() / 20, 1e-8);
}

TEST(Combine, AlignmentIsTheCosineOfTheCentredKernels) {
  const Groups data = groups(15, 2);
  const Matrix A = data.kernel(), B = A.cwiseAbs2();
  const Matrix H = Matrix::Identity(15, 15) - Matrix::Constant(15, 15, 1.0 / 15);
  const Matrix a = H * A * H, b = H * B * H;
  EXPECT_NEAR(centred_alignment(A, B), (a.array() * b.array()).sum() / (a.norm() * b.norm()),
              1e-13);
  EXPECT_NEAR(centred_alignment(A, 3 * A), 1, 1e-13);
  EXPECT_EQ(centred_alignment(A, Matrix::Constant(15, 15, 2)), 0);
}

TEST(Combine, KernelsCountEquallyAtAnyScale) {
  const Groups data = groups(12, 2);
  const Matrix A = data.kernel(), B = A.cwiseAbs2();
  const Matrix once = combine_kernels({A, B}, equal_weights(2), {"a", "b"});
  const Matrix again = combine_kernels({1000 * A, B}, equal_weights(2), {"a", "b"});
  EXPECT_TRUE(once.isApprox(again, 1e-13));
  EXPECT_TRUE(once.isApprox(A / (2 * kernel_variance(A)) + B / (2 * kernel_variance(B)), 1e-13));
  EXPECT_TRUE(
      combine_kernels({A, B}, equal_weights(2), {"a", "b"}, false).isApprox((A + B) / 2, 1e-13));
  test::expect_message(
      [&] { combine_kernels({A, Matrix::Ones(12, 12)}, equal_weights(2), {"a", "flat"}); },
      "'flat'");
}

TEST(Combine, WeightsOfRelationsAreColumnSums) {
  Matrix S(3, 3);
  S << 0, 1, 0, 0.5, 0, 0.5, 0, 1, 0;
  EXPECT_TRUE(relation_weights(S).isApprox(Vector{{0.5 / 3, 2.0 / 3, 0.5 / 3}}));
}

TEST(Combine, AlignmentPrefersTheViewThatSeparatesTheClasses) {
  const Groups good = groups(30, 5), bad = groups(30, 0);
  Labels labels = good.labels;
  labels.of_sample[4] = -1;  // not every sample needs a label
  const Vector weights = alignment_weights({good.kernel(), bad.kernel()}, labels);
  EXPECT_NEAR(weights.sum(), 1, 1e-14);
  EXPECT_GT(weights(0), 0.8);
}

TEST(LabelScores, CompleteCasesAreTheSamplesOfAllViews) {
  const Groups data = groups(40, 12);
  Mask observed = Mask::Constant(40, 2, true);
  for (Index i = 0; i < 10; ++i) observed(i, i % 2) = false;
  const Problem problem({data.kernel(), 2 * data.kernel()}, observed);
  const auto cases = complete_case_scores(problem, data.labels, 1);
  ASSERT_EQ(cases.size(), 1u);
  EXPECT_EQ(cases[0].on, "complete");
  EXPECT_EQ(cases[0].samples, 30);
  EXPECT_EQ(cases[0].accuracy, 1);

  const auto all = label_scores(problem, {data.kernel(), data.kernel()}, data.labels, 1);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].on, "all");
  EXPECT_EQ(all[0].samples, 40);
  EXPECT_EQ(all[0].accuracy, 1);
  EXPECT_NEAR(all[0].ari, 1, 1e-12);
  EXPECT_EQ(all[1].on, "complete");
  EXPECT_EQ(all[1].samples, 30);
}

TEST(LabelScores, TooFewCompleteCasesAreRefused) {
  const Groups data = groups(20, 3);
  Mask observed = Mask::Constant(20, 2, true);
  for (Index i = 0; i < 15; ++i) observed(i, i % 2) = false;
  const Problem problem({data.kernel(), data.kernel()}, observed);
  test::expect_message([&] { complete_case_scores(problem, data.labels, 1); },
                       "5 labelled samples of 3 classes");
}

}  // namespace
}  // namespace mkc
