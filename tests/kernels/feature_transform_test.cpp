#include "mkc/kernels/feature_transform.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/errors.hpp"
#include "kernels/slow_kernels.hpp"
#include "mkc/kernels/features.hpp"
#include "mkc/kernels/kernel_options.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using namespace test;  // NOLINT: helpers

const LibrarySize no_library{LibrarySize::Rule::none, 1};

// Counts with zeros, ties and a column of zeros; every row has a positive sum.
Matrix some_counts(Index n, Index d, std::uint64_t seed) {
  Matrix X = (random_matrix(n, d, seed).array() * 6).floor().max(0);
  X.col(0).array() += 1;
  if (d > 3) X.col(3).setZero();
  return X;
}

Matrix some_amounts(Index n, Index d, std::uint64_t seed) {
  const Matrix X = random_matrix(n, d, seed) * 3;
  return (X.array() < -1.5).select(0.0, X.array().exp());
}

// What a transform learns from X, applied to Y.
Matrix learnt_and_applied(const Matrix& X, Transform kind, const Matrix& Y,
                          const LibrarySize& library = no_library) {
  return FeatureTransform::fit(X, kind, library).apply(Y);
}

// y_ij = f(y_ij, i, j)
template <class Entry>
Matrix entry_by_entry(const Matrix& Y, Entry f) {
  Matrix result(Y.rows(), Y.cols());
  for (Index i = 0; i < Y.rows(); ++i)
    for (Index j = 0; j < Y.cols(); ++j) result(i, j) = f(Y(i, j), i, j);
  return result;
}

void expect_equal(const Matrix& found, const Matrix& expected, double tolerance = 1e-13) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  EXPECT_LT(largest(found - expected), tolerance * (1 + largest(expected)));
}

struct EntryCase {
  Transform kind;
  std::function<double(double)> formula;
};

TEST(FeatureTransform, TransformsOfSingleValuesFollowTheirFormula) {
  const Matrix X = some_counts(20, 5, 1), Y = some_amounts(9, 5, 2);
  for (const auto& [kind, formula] : std::vector<EntryCase>{
           {Transform::none, [](double x) { return x; }},
           {Transform::log1p, [](double x) { return std::log(1 + x); }},
           {Transform::log2p1, [](double x) { return std::log2(1 + x); }},
           {Transform::sqrt, [](double x) { return std::sqrt(x); }},
           {Transform::arcsinh, [](double x) { return std::log(x + std::sqrt(x * x + 1)); }}}) {
    const Matrix expected = entry_by_entry(Y, [&](double x, Index, Index) { return formula(x); });
    expect_equal(learnt_and_applied(X, kind, Y), expected);
    EXPECT_EQ(FeatureTransform::fit(X, kind, no_library).learnt.size(), 0) << transform_name(kind);
  }
}

TEST(FeatureTransform, ArcsinhTakesNegativeValuesAndIsOdd) {
  const Matrix X = random_matrix(6, 4, 3) * 1e6;
  const Matrix Y = learnt_and_applied(X, Transform::arcsinh, X);
  EXPECT_EQ(learnt_and_applied(X, Transform::arcsinh, -X), -Y);
  EXPECT_NEAR(Y(0, 0), std::copysign(std::log(2 * std::abs(X(0, 0))), X(0, 0)), 1e-9);
}

TEST(FeatureTransform, ZerosOfALogAreHalfTheSmallestTrainingValueOfTheColumn) {
  Matrix X(4, 3);
  X << 2, 0, 5,  //
      0, 0, 7,   //
      8, 0, 9,   //
      4, 0, 6;
  Matrix Y(2, 3);
  Y << 0, 0, 0,  //
      3, 2, 100;
  const double ln2 = std::log(2.0);
  Matrix expected(2, 3);
  expected << 0, 0, std::log(2.5),  // halves of 2, of no value (1) and of 5
      std::log(3.0), ln2, std::log(100.0);
  expect_equal(learnt_and_applied(X, Transform::log, Y), expected);
  EXPECT_EQ(FeatureTransform::fit(X, Transform::log, no_library).learnt,
            Eigen::RowVector3d(1, 1, 2.5));
}

TEST(FeatureTransform, CentredLogRatiosFollowTheirFormula) {
  for (const bool whole : {true, false}) {
    const Matrix X = whole ? some_counts(15, 6, 4) : some_amounts(15, 6, 4);
    const Matrix Y = some_amounts(8, 6, 5);
    double pseudo = std::numeric_limits<double>::infinity();
    for (const double x : X.reshaped())
      if (x > 0) pseudo = std::min(pseudo, x / 2);
    if (whole) pseudo = 0.5;
    const Matrix expected = entry_by_entry(Y, [&](double x, Index i, Index) {
      double mean = 0;
      for (const double other : Y.row(i)) mean += std::log(other + pseudo) / 6;
      return std::log(x + pseudo) - mean;
    });
    const Matrix found = learnt_and_applied(X, Transform::clr, Y);
    expect_equal(found, expected);
    EXPECT_LT(largest(found.rowwise().sum()), 1e-13);
  }
}

TEST(FeatureTransform, CentredLogRatiosDoNotDependOnTheSizeOfARow) {
  const Matrix X = (random_matrix(10, 5, 6).array() + 2) * 1e6;
  Matrix scaled = X;
  for (Index i = 0; i < 10; ++i) scaled.row(i) *= 1 + static_cast<double>(i);
  // The pseudo-count is half of the smallest value, so that it would matter: take whole numbers.
  const FeatureTransform clr =
      FeatureTransform::fit(X.array().round().matrix(), Transform::clr, no_library);
  EXPECT_EQ(clr.learnt(0, 0), 0.5);
  EXPECT_LT(largest(clr.apply(scaled) - clr.apply(X)), 1e-5);
}

TEST(FeatureTransform, WordWeightsFollowTheirFormula) {
  const Matrix X = some_counts(12, 5, 7), Y = some_counts(6, 5, 8);
  const Matrix expected = entry_by_entry(Y, [&](double x, Index, Index j) {
    double documents = 0;
    for (const double other : X.col(j)) documents += other != 0;
    const double often = x > 1 ? 1 + std::log(x) : x;
    return often * (1 + std::log((1 + 12.0) / (1 + documents)));
  });
  expect_equal(learnt_and_applied(X, Transform::tfidf, Y), expected);
}

// P(standard normal < x)
double normal_share(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

TEST(FeatureTransform, RanksBecomeNormalScores) {
  const Matrix X = some_counts(25, 4, 9), Y = some_counts(10, 4, 10).array() - 0.5;
  for (const Matrix& Z : {X, Y}) {
    const Matrix scores = learnt_and_applied(X, Transform::rank, Z);
    for (Index j = 0; j < 4; ++j)
      for (Index i = 0; i < Z.rows(); ++i) {
        double below = 0;
        for (const double x : X.col(j)) below += x < Z(i, j) ? 1 : x == Z(i, j) ? 0.5 : 0;
        const double share = std::clamp(below / 25, 0.5 / 25, 1 - 0.5 / 25);
        EXPECT_NEAR(normal_share(scores(i, j)), share, 1e-14);
      }
  }
}

TEST(FeatureTransform, RanksGiveTiesOneScoreAndStopAtTheEndsOfTheTrainingValues) {
  Matrix X(5, 1);
  X << 3, 1, 3, 7, 3;
  Matrix Y(6, 1);
  Y << 3, 1, 0, -1e300, 7, 1e300;
  const Matrix scores = learnt_and_applied(X, Transform::rank, Y);
  EXPECT_NEAR(scores(0), 0, 1e-15);                    // one below, three equal of five
  EXPECT_NEAR(scores(1), -1.2815515655446004, 1e-12);  // a tenth
  EXPECT_EQ(scores(2), scores(1));
  EXPECT_EQ(scores(3), scores(1));
  EXPECT_NEAR(scores(4), 1.2815515655446004, 1e-12);
  EXPECT_EQ(scores(5), scores(4));
}

TEST(FeatureTransform, RanksDoNotChangeWithAnIncreasingFunction) {
  const Matrix X = random_matrix(30, 3, 11);
  const Matrix cubes = X.array().cube() * 1e5;
  EXPECT_EQ(learnt_and_applied(X, Transform::rank, X),
            learnt_and_applied(cubes, Transform::rank, cubes));
}

TEST(FeatureTransform, MinmaxBringsTheTrainingRangeTo01) {
  Matrix X(3, 2), Y(4, 2);
  X << 2, 5,  //
      6, 5,   //
      4, 5;
  Y << 2, 5,  //
      6, 5,   //
      3, 7,   //
      10, -1;
  Matrix expected(4, 2);
  expected << 0, 0,  //
      1, 0,          //
      0.25, 0,       // a constant column says nothing about new samples either
      2, 0;          // values outside the range stay outside
  EXPECT_EQ(learnt_and_applied(X, Transform::minmax, Y), expected);
}

TEST(FeatureTransform, ZscoreIsTheScalingOfColumns) {
  Matrix X = random_matrix(14, 4, 12) * 50;
  X.col(2).setConstant(3);
  const Matrix Y = random_matrix(5, 4, 13) * 50;
  EXPECT_EQ(learnt_and_applied(X, Transform::zscore, Y), ColumnScaling::fit(X).apply(Y));
}

TEST(FeatureTransform, LibrarySizesAreBroughtToTheMedianOrToANumber) {
  Matrix X(4, 2), Y(2, 2);
  X << 1, 1,   // 2
      10, 30,  // 40
      3, 3,    // 6
      4, 4;    // 8: the median is 7
  Y << 1, 3,   //
      200, 0;
  Matrix expected(2, 2);
  expected << 1.75, 5.25, 7, 0;
  expect_equal(learnt_and_applied(X, Transform::none, Y, {LibrarySize::Rule::median, 1}), expected);
  EXPECT_EQ(
      FeatureTransform::fit(X.topRows(3), Transform::none, {LibrarySize::Rule::median, 1}).library,
      6);
  expect_equal(learnt_and_applied(X, Transform::none, Y, {LibrarySize::Rule::number, 100}),
               expected * (100.0 / 7));
}

TEST(FeatureTransform, WhatATransformLearnsComesAfterTheLibrarySize) {
  const Matrix X = some_counts(12, 5, 14), Y = some_counts(4, 5, 15);
  const LibrarySize of_10{LibrarySize::Rule::number, 10};
  const auto divided = [](const Matrix& Z) {
    return entry_by_entry(Z, [&](double z, Index i, Index) { return 10 * z / Z.row(i).sum(); });
  };
  for (const Transform kind : {Transform::log, Transform::log1p, Transform::clr, Transform::tfidf,
                               Transform::rank, Transform::minmax, Transform::zscore})
    expect_equal(learnt_and_applied(X, kind, Y, of_10),
                 learnt_and_applied(divided(X), kind, divided(Y)), 1e-12);
}

TEST(FeatureTransform, NewSamplesDoNotDependOnEachOther) {
  const Matrix X = some_counts(12, 5, 16), Y = some_counts(7, 5, 17);
  for (std::size_t kind = 1; kind < transform_names().size(); ++kind) {
    const auto fitted =
        FeatureTransform::fit(X, static_cast<Transform>(kind), {LibrarySize::Rule::median, 1});
    expect_equal(fitted.apply(Y).row(4), fitted.apply(Y.row(4)), 1e-15);
  }
}

TEST(FeatureTransform, ChangesNothingOnlyWithoutATransformAndALibrarySize) {
  const Matrix X = some_counts(5, 3, 18);
  EXPECT_TRUE(FeatureTransform::fit(X, Transform::none, no_library).changes_nothing());
  EXPECT_FALSE(FeatureTransform::fit(X, Transform::sqrt, no_library).changes_nothing());
  EXPECT_FALSE(
      FeatureTransform::fit(X, Transform::none, {LibrarySize::Rule::median, 1}).changes_nothing());
}

TEST(FeatureTransform, ValuesOutsideTheDomainNameSampleAndColumn) {
  const Matrix X = some_counts(4, 3, 19);
  Matrix Y = X;
  Y(2, 1) = -1;
  for (const char* name : {"log", "log1p", "log2p1", "clr", "tfidf", "sqrt"}) {
    const KernelOptions options = kernel_option_table().parse({{"transform", name}});
    const auto fitted = FeatureTransform::fit(X, options.transform, no_library);
    const std::string named =
        error_of([&] { fitted.apply(Y, {"a", "b", "P-07", "d"}, {"x", "TP53", "z"}); });
    EXPECT_TRUE(has(named, std::string("transform=") + name +
                               ": sample 'P-07', column 'TP53' is -1, and values must be"))
        << named;
    EXPECT_TRUE(has(named, "transform=arcsinh")) << named;
    const std::string counted = error_of([&] { fitted.apply(Y); });
    EXPECT_TRUE(has(counted, "row 2 (counted from 0), column 1 (counted from 0)")) << counted;
  }
  Y(2, 1) = -0.5;  // inside the domain of log(1 + x) alone
  EXPECT_NEAR(learnt_and_applied(X, Transform::log1p, Y)(2, 1), std::log(0.5), 1e-15);
  EXPECT_THROW(learnt_and_applied(X, Transform::sqrt, Y), InputError);
}

TEST(FeatureTransform, SamplesWithoutCountsHaveNoLibrarySize) {
  Matrix X = some_counts(4, 3, 20);
  X.row(2).setZero();
  const Strings names{"a", "b", "P-07", "d"};
  for (const LibrarySize& library :
       {LibrarySize{LibrarySize::Rule::median, 1}, LibrarySize{LibrarySize::Rule::number, 5}}) {
    const std::string error = error_of(
        [&] { FeatureTransform::fit(X, Transform::log1p, library, names).apply(X, names); });
    EXPECT_TRUE(has(error, "library_size: the values of sample 'P-07' add up to 0")) << error;
    EXPECT_TRUE(has(error, "library_size=none")) << error;
  }
  X.row(2).setConstant(1);
  X(2, 1) = -0.5;
  const std::string negative =
      error_of([&] { learnt_and_applied(X, Transform::none, X, {LibrarySize::Rule::number, 5}); });
  EXPECT_TRUE(has(negative, "library_size: row 2 (counted from 0), column 1")) << negative;
}

TEST(FeatureTransform, RefusesAnotherNumberOfFeatures) {
  const Matrix X = some_counts(6, 4, 21);
  for (const Transform kind :
       {Transform::log, Transform::tfidf, Transform::rank, Transform::minmax, Transform::zscore})
    EXPECT_TRUE(has(error_of([&] { learnt_and_applied(X, kind, X.leftCols(3)); }),
                    "new samples have 3 features, the training samples 4"));
}

TEST(FeatureTransform, NamesReadBack) {
  ASSERT_EQ(transform_names().size(), static_cast<std::size_t>(Transform::arcsinh) + 1);
  for (const auto& name : transform_names()) {
    const KernelOptions options = kernel_option_table().parse({{"transform", name}});
    EXPECT_EQ(transform_name(options.transform), name);
  }
  for (const char* text : {"auto", "none", "median", "10000", "0.25"})
    EXPECT_EQ(library_size_to_text(library_size_from_text("library_size", text)), text);
  for (const char* text : {"0", "-1", "inf", "nan", "", "medain"})
    EXPECT_TRUE(has(
        error_of([&] { library_size_from_text("library_size", text); }),
        "'library_size': '" + std::string(text) + "' is not auto, none, median or a number > 0"));
  EXPECT_TRUE(has(error_of([] { library_size_from_text("library_size", "medain"); }),
                  "did you mean 'median'?"));
}

}  // namespace
}  // namespace mkc
