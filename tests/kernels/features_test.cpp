#include "mkc/kernels/features.hpp"

#include <cmath>

#include "kernels/errors.hpp"
#include "kernels/slow_kernels.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using namespace test;  // NOLINT: helpers

const double nan = std::nan("");
const Strings rows{"s0", "s1", "P-07"};
const Strings columns{"BRCA1", "TP53", "MYC"};

Matrix with_gaps() {
  Matrix X(3, 3);
  X << 1, 2, 3,   //
      4, nan, 6,  //
      7, 5, 9;
  return X;
}

TEST(Zscore, ColumnsHaveMeanZeroAndDeviationOne) {
  const Matrix Z = zscore((random_matrix(50, 6, 1) * 20).array() + 1e4);
  for (Index j = 0; j < 6; ++j) {
    EXPECT_NEAR(Z.col(j).mean(), 0, 1e-12);
    EXPECT_NEAR(Z.col(j).squaredNorm() / 50, 1, 1e-12);
  }
}

TEST(Zscore, AgreesWithTheFormula) {
  Matrix X(4, 1);
  X << 1, 3, 5, 7;  // mean 4, variance 5
  Matrix expected(4, 1);
  expected << -3, -1, 1, 3;
  EXPECT_LT(largest(zscore(X) - expected / std::sqrt(5.0)), 1e-15);
}

TEST(Zscore, ConstantColumnsBecomeZero) {
  Matrix X = random_matrix(7, 3, 2);
  X.col(1).setConstant(0.1);
  EXPECT_EQ(zscore(X).col(1), Vector::Zero(7));
  X.col(1).setConstant(0.3);
  X(2, 1) = 0.1 + 0.2;  // up to rounding
  EXPECT_EQ(zscore(X).col(1), Vector::Zero(7));
  EXPECT_EQ(zscore(Matrix::Constant(1, 4, 9.0)), Matrix::Zero(1, 4));
  EXPECT_EQ(zscore(Matrix(0, 4)).cols(), 4);
}

TEST(MissingCells, FeaturesWithoutGapsComeBackAsTheyAre) {
  const Matrix X = random_matrix(4, 3, 3);
  for (const NaPolicy policy : {NaPolicy::error, NaPolicy::mean, NaPolicy::drop}) {
    const ResolvedFeatures result = resolve_missing_cells(X, policy);
    EXPECT_EQ(result.features, X);
    EXPECT_EQ(result.kept_columns, (Indices{0, 1, 2}));
    EXPECT_EQ(result.filled_cells, 0);
  }
}

TEST(MissingCells, ErrorNamesRowAndColumn) {
  const std::string named =
      error_of([] { resolve_missing_cells(with_gaps(), NaPolicy::error, columns, rows); });
  EXPECT_TRUE(has(named, "sample 's1', column 'TP53' has no value")) << named;
  EXPECT_TRUE(has(named, "1 of 3 x 3")) << named;
  const std::string counted = error_of([] { resolve_missing_cells(with_gaps(), NaPolicy::error); });
  EXPECT_TRUE(has(counted, "row 1 (counted from 0), column 1 (counted from 0)")) << counted;
}

TEST(MissingCells, MeanFillsWithTheMeanOfTheColumn) {
  const ResolvedFeatures result = resolve_missing_cells(with_gaps(), NaPolicy::mean);
  Matrix expected = with_gaps();
  expected(1, 1) = 3.5;
  EXPECT_EQ(result.features, expected);
  EXPECT_EQ(result.filled_cells, 1);
}

TEST(MissingCells, MeanDropsAColumnWithoutAnyValue) {
  Matrix X = with_gaps();
  X.col(0).setConstant(nan);
  const ResolvedFeatures result = resolve_missing_cells(X, NaPolicy::mean);
  EXPECT_EQ(result.kept_columns, (Indices{1, 2}));
  Matrix expected(3, 2);
  expected << 2, 3, 3.5, 6, 5, 9;
  EXPECT_EQ(result.features, expected);
  EXPECT_EQ(result.filled_cells, 1);
}

TEST(MissingCells, MeanRefusesASampleWithoutAnyValue) {
  Matrix X = with_gaps();
  X.row(2).setConstant(nan);
  const std::string error =
      error_of([&] { resolve_missing_cells(X, NaPolicy::mean, columns, rows); });
  EXPECT_TRUE(has(error, "sample 'P-07' has no value at all")) << error;
}

TEST(MissingCells, DropKeepsTheColumnsWithoutGaps) {
  const ResolvedFeatures result = resolve_missing_cells(with_gaps(), NaPolicy::drop);
  EXPECT_EQ(result.kept_columns, (Indices{0, 2}));
  EXPECT_EQ(result.features, with_gaps()(Eigen::all, Indices{0, 2}));
}

TEST(MissingCells, DropRefusesToDropAllColumns) {
  Matrix X = with_gaps();
  X.row(0).setConstant(nan);
  EXPECT_TRUE(has(error_of([&] { resolve_missing_cells(X, NaPolicy::drop); }),
                  "all 3 columns are dropped"));
}

}  // namespace
}  // namespace mkc
