#include "mkc/kernels/feature_type.hpp"

#include <limits>
#include <ostream>

#include "kernels/errors.hpp"
#include "kernels/made_up_features.hpp"
#include "kernels/slow_kernels.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using namespace test;  // NOLINT: made-up features and helpers

struct Kind {
  std::string name;
  FeatureType type;
  std::function<Matrix(Index, std::uint64_t)> table;
  std::string recipe;  // library size, transform, scale, kernel
};

const char* const as_they_are = "none none none rbf";

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::vector<Kind> kinds() {
  using enum FeatureType;
  const char *by_column = "none none zscore rbf", *parts = "1 sqrt none chi2";
  return {
      {"bulk_counts", counts, [](Index n, std::uint64_t s) { return bulk_counts(n, s); },
       "median log1p zscore rbf"},
      {"word_counts", text, [](Index n, std::uint64_t s) { return word_counts(n, s); },
       "none tfidf none cosine"},
      {"word_weights", text_weights, [](Index n, std::uint64_t s) { return word_weights(n, s); },
       "none sqrt none cosine"},
      {"species_counts", abundances, [](Index n, std::uint64_t s) { return species_counts(n, s); },
       parts},
      {"shares_of_1", abundances, [](Index n, std::uint64_t s) { return shares(n, s, 1); }, parts},
      {"percents", abundances, [](Index n, std::uint64_t s) { return shares(n, s, 100); }, parts},
      {"few_ones", binary, [](Index n, std::uint64_t s) { return zeros_and_ones(n, s, 0.05); },
       as_they_are},
      {"many_ones", binary, [](Index n, std::uint64_t s) { return zeros_and_ones(n, s, 0.5); },
       as_they_are},
      {"one_hot", one_hot, one_hot_answers, as_they_are},
      {"beta_values", proportions, [](Index n, std::uint64_t s) { return beta_values(n, s); },
       as_they_are},
      {"answers", ordinal, [](Index n, std::uint64_t s) { return steps(n, s, 1, 5); }, as_they_are},
      {"copy_numbers", ordinal, [](Index n, std::uint64_t s) { return steps(n, s, -2, 2); },
       as_they_are},
      {"ranks", ordinal, [](Index n, std::uint64_t s) { return ranks_of_rows(n, s); }, as_they_are},
      {"large_amounts", skewed, [](Index n, std::uint64_t s) { return lognormal_amounts(n, s, 5); },
       "none log1p zscore rbf"},
      {"small_amounts", skewed,
       [](Index n, std::uint64_t s) { return lognormal_amounts(n, s, -9); }, "none log zscore rbf"},
      {"heavy_tails", heavy_tails, [](Index n, std::uint64_t s) { return heavy_tailed(n, s); },
       "none none none laplacian"},
      {"one_unit", one_unit, [](Index n, std::uint64_t s) { return of_one_unit(n, s); },
       as_they_are},
      {"many_units", continuous, [](Index n, std::uint64_t s) { return of_many_units(n, s); },
       by_column},
      {"pixels", one_unit, [](Index n, std::uint64_t s) { return pixels(n, s); }, as_they_are},
      {"few_columns", continuous, [](Index n, std::uint64_t s) { return of_one_unit(n, s, 4); },
       by_column},
      {"few_skewed_columns", continuous,
       [](Index n, std::uint64_t s) { return lognormal_amounts(n, s, 5, 4); }, by_column},
      {"few_columns_of_counts", continuous,
       [](Index n, std::uint64_t s) { return bulk_counts(n, s, 3); }, by_column},
  };
}

class EveryKind : public testing::TestWithParam<Kind> {
 protected:
  void expect_type(const Matrix& X, const std::string& what) const {
    const RecognisedFeatures found = recognise_features(X);
    EXPECT_EQ(feature_type_name(found.type), feature_type_name(GetParam().type))
        << what << ": " << found.evidence;
  }
};

std::string recipe_text(const KernelOptions& options) {
  return fmt::format(
      "{} {} {} {}", library_size_to_text(options.library_size), transform_name(options.transform),
      options.scale == FeatureScaling::zscore ? "zscore" : "none", kernel_name(options.kernel));
}

TEST_P(EveryKind, IsRecognisedInSmallAndLargeTables) {
  for (const Index n : {30, 60, 120, 300})
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      expect_type(GetParam().table(n, seed), fmt::format("{} rows, seed {}", n, seed));
}

TEST_P(EveryKind, HasItsRecipe) {
  const SettledKernel chosen = settled(GetParam().table(80, 6), {});
  EXPECT_EQ(recipe_text(chosen.options), GetParam().recipe);
  EXPECT_EQ(chosen.options.gamma.rule, Gamma::Rule::automatic);
  ASSERT_TRUE(chosen.features);
  EXPECT_EQ(chosen.features->type, GetParam().type);
  EXPECT_FALSE(scales_columns(chosen.options) && has(GetParam().recipe, " none rbf"));
}

TEST_P(EveryKind, TheOrderOfRowsDoesNotMatter) {
  const Matrix X = GetParam().table(70, 7);
  const RecognisedFeatures found = recognise_features(X);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto again = recognise_features(rows_of(X, random_permutation(70, seed)));
    EXPECT_EQ(again.type, found.type);
    EXPECT_EQ(again.evidence, found.evidence);
  }
}

TEST_P(EveryKind, ConstantColumnsAreNoEvidence) {
  const Matrix X = GetParam().table(60, 8);
  // A constant moves all sums of rows by the same amount: no longer 1 or 100.
  const bool by_sums = has(recognise_features(X).evidence, "add up to 1");
  for (const double value : by_sums ? std::vector{0.0} : std::vector{0.0, 1.0, 2.5, 1e6, -3.0}) {
    Matrix wide(60, X.cols() + 30);
    wide << Matrix::Constant(60, 15, value), X, Matrix::Constant(60, 15, value);
    expect_type(wide, fmt::format("with columns of {}", value));
  }
}

TEST_P(EveryKind, MissingCellsAreNoEvidence) {
  const Matrix X = GetParam().table(100, 9);
  // Without some of its cells a row does not have its sum.
  const std::string evidence = recognise_features(X).evidence;
  if (has(evidence, "add") || has(evidence, "rows of one sum")) return;
  Matrix gaps = X;
  const Matrix where = random_matrix(X.rows(), X.cols(), 10);
  for (Index k = 0; k < X.size(); ++k)
    if (where.data()[k] > 0.9) gaps.data()[k] = std::numeric_limits<double>::quiet_NaN();
  expect_type(gaps, "with gaps");
}

TEST_P(EveryKind, RowsOfZerosAreNoEvidence) {
  Matrix X = GetParam().table(100, 11);
  const RecognisedFeatures found = recognise_features(X.topRows(80));
  X.bottomRows(20).setZero();
  EXPECT_EQ(recognise_features(X).evidence, found.evidence);
}

TEST_P(EveryKind, EvidenceIsShortAndItsRangeIsRight) {
  const Matrix X = GetParam().table(90, 12);
  const std::string evidence = recognise_features(X).evidence;
  EXPECT_LT(evidence.size(), 110u) << evidence;
  EXPECT_FALSE(has(evidence, "inf") || has(evidence, "nan")) << evidence;
  const auto from = evidence.find(" from "), to = evidence.find(" to ");
  if (from == std::string::npos) return;
  EXPECT_NEAR(std::stod(evidence.substr(from + 6)), X.minCoeff(), 1e-3 * std::abs(X.minCoeff()));
  EXPECT_NEAR(std::stod(evidence.substr(to + 4)), X.maxCoeff(), 1e-3 * std::abs(X.maxCoeff()));
  const bool whole = (X.array() == X.array().floor()).all();
  EXPECT_EQ(has(evidence, "whole numbers"), whole) << evidence;
}

TEST_P(EveryKind, GivesAKernelWithoutOptions) {
  const Matrix K = compute_kernel(GetParam().table(40, 13), {}).kernel;
  EXPECT_TRUE(K.allFinite());
  EXPECT_EQ(K, K.transpose());
  EXPECT_EQ(K.diagonal(), Vector::Ones(40));
  EXPECT_LT(K(1, 0), 1);
}

TEST_P(EveryKind, OptionsThatAreGivenStay) {
  const Matrix X = GetParam().table(50, 14);
  const auto chosen = [&](const OptionValues& given) {
    return settled(X, kernel_option_table().parse(given)).options;
  };
  const KernelOptions named = chosen({{"kernel", "laplacian"}});
  EXPECT_EQ(named.kernel, KernelKind::laplacian);
  EXPECT_EQ(named.transform, Transform::none);
  EXPECT_EQ(named.library_size.rule, LibrarySize::Rule::none);
  EXPECT_FALSE(settled(X, named).features);
  EXPECT_EQ(chosen({{"transform", "arcsinh"}}).transform, Transform::arcsinh);
  EXPECT_EQ(chosen({{"transform", "arcsinh"}}).kernel, KernelKind::rbf);
  EXPECT_EQ(chosen({{"transform", "tfidf"}}).kernel, KernelKind::cosine);
  EXPECT_EQ(chosen({{"scale", "zscore"}}).scale, FeatureScaling::zscore);
  EXPECT_EQ(chosen({{"scale", "none"}}).scale, FeatureScaling::none);
  EXPECT_EQ(chosen({{"library_size", "none"}}).library_size.rule, LibrarySize::Rule::none);
  EXPECT_EQ(library_size_to_text(chosen({{"library_size", "77"}}).library_size), "77");
  EXPECT_EQ(chosen({{"gamma", "0.5"}}).gamma, Gamma::number(0.5));
}

TEST_P(EveryKind, WhatWasChosenIsChosenAgainByName) {
  const Matrix X = GetParam().table(50, 15);
  const KernelOptions chosen = settled(X, {}).options;
  const KernelOptions again = kernel_option_table().parse(options_in_use(chosen));
  EXPECT_EQ(compute_kernel(X, again).kernel, compute_kernel(X, {}).kernel);
  EXPECT_EQ(options_in_use(settled(X, again).options), options_in_use(chosen));
}

INSTANTIATE_TEST_SUITE_P(FeatureType, EveryKind, testing::ValuesIn(kinds()),
                         [](const auto& each) { return each.param.name; });

TEST(FeatureType, EvidenceCountsZerosAndOnes) {
  Matrix X = Matrix::Zero(30, 40);
  for (Index i = 0; i < 30; ++i) X(i, i) = X(i, i + 1) = 1;  // 2 of 40
  for (Index i = 0; i < 30; i += 2) X(i, 39) = 9;
  X.rightCols(1).bottomRows(1).setConstant(9);
  const RecognisedFeatures found = recognise_features(X);
  EXPECT_EQ(found.type, FeatureType::text);
  const Matrix used = X(Eigen::all, [] {
    Indices kept;
    for (Index j = 0; j <= 30; ++j) kept.push_back(j);
    kept.push_back(39);
    return kept;
  }());  // columns 31 to 38 are constant
  const double zeros = static_cast<double>((used.array() == 0).count());
  const double ones = static_cast<double>((used.array() == 1).count());
  const double cells = static_cast<double>(used.size());
  EXPECT_EQ(found.evidence,
            fmt::format("whole numbers from 0 to 9, {:.0f} % zeros, {:.0f} % of the others are 1, "
                        "8 columns constant",
                        100 * zeros / cells, 100 * ones / (cells - zeros)));
}

TEST(FeatureType, EvidenceWritesWholeNumbersOut) {
  Matrix X = bulk_counts(50, 16);
  X(3, 4) = 5123456;
  const std::string evidence = recognise_features(X).evidence;
  EXPECT_TRUE(has(evidence, " to 5123456,")) << evidence;
}

TEST(FeatureType, RoundedSharesAreNeitherAllNorNone) {
  Matrix X = Matrix::Zero(600, 300);  // every row has a word of its own: 1 of 300
  for (Index i = 0; i < 600; ++i) X(i, i % 300) = i < 500 ? 1 : 7;
  const std::string evidence = recognise_features(X).evidence;
  EXPECT_TRUE(has(evidence, "over 99 % zeros")) << evidence;
}

TEST(FeatureType, EqualRowsAreContinuous) {
  const RecognisedFeatures found = recognise_features(Matrix::Constant(10, 30, 4));
  EXPECT_EQ(found.type, FeatureType::continuous);
  EXPECT_EQ(found.evidence, "all rows are equal");
  EXPECT_EQ(compute_kernel(Matrix::Constant(10, 30, 4), {}).kernel, Matrix::Ones(10, 10));
  EXPECT_EQ(recognise_features(Matrix::Zero(3, 2)).evidence, "all rows are equal");
}

TEST(FeatureType, ColumnsThatReachUpOnlyHaveNoInventedRatio) {
  Matrix X = Matrix::Constant(60, 10, 0.5);  // the median is the smallest value
  for (Index j = 0; j < 10; ++j)
    for (Index i = 0; i < 12; ++i) X(j + i, j) = 3 + 0.1 * static_cast<double>(i + j);
  const RecognisedFeatures found = recognise_features(X);
  EXPECT_EQ(found.type, FeatureType::skewed);
  EXPECT_TRUE(has(found.evidence, "over 1000 times")) << found.evidence;
}

TEST(FeatureType, ColumnsThatReachDownOnlyAreNotSkewed) {
  Matrix X(60, 10);
  for (Index j = 0; j < 10; ++j)
    for (Index i = 0; i < 60; ++i)
      X(i, j) = (i + j) % 5 == 0 ? 1 + 0.01 * static_cast<double>(i % 7) : 4.5;
  for (Index i = 0; i < 60; ++i) X(i, 9) = std::exp(0.1 * static_cast<double>(i));  // but one
  EXPECT_NE(recognise_features(X).type, FeatureType::skewed);
}

TEST(FeatureType, NamesAreDifferent) {
  Strings names;
  for (int type = 0; type <= static_cast<int>(FeatureType::ordinal); ++type)
    names.push_back(feature_type_name(static_cast<FeatureType>(type)));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace mkc
