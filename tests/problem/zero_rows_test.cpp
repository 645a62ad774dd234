#include "mkc/problem/zero_rows.hpp"

#include <cmath>
#include <random>

#include "support/view_files.hpp"

namespace mkc {
namespace {

using namespace io::test;

View with_values(const Matrix& values, ViewKind kind = ViewKind::features) {
  View view;
  view.name = "a";
  view.kind = kind;
  view.values = values;
  for (Index i = 0; i < values.rows(); ++i) view.ids.push_back("s" + std::to_string(i));
  view.all_ids = view.ids;
  return view;
}

/// Normal values in which each is 0 with this probability, and rows 3 and 7 are 0.
Matrix table(double zeros, bool whole, Index columns = 40) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> value(0, 4);
  std::bernoulli_distribution is_zero(zeros);
  Matrix X(30, columns);
  for (double& x : X.reshaped()) {
    x = whole ? std::ceil(std::fabs(value(random))) : value(random);
    if (is_zero(random)) x = 0;
  }
  X.row(3).setZero();
  X.row(7).setZero();
  return X;
}

Index missing(View& view) { return view.values.rowwise().sum().array().isNaN().count(); }

TEST(ZeroRows, AreMissingInDenseTables) {
  View view = with_values(table(0, false));
  mark_zero_rows(view, ZeroRows::automatic);
  EXPECT_EQ(missing(view), 2);
  EXPECT_EQ(view.zero_rows, "missing");
  expect_contains(view.notices.at(0),
                  "2 of 30 samples are zero in every feature, taken as missing because");
}

TEST(ZeroRows, AreValuesInSparseTables) {
  const auto mutations = [](double zeros) {
    return Matrix((table(zeros, true).array() != 0).cast<double>());
  };
  for (const auto& X : {table(0.97, false), mutations(0.97), mutations(0.7)}) {
    View view = with_values(X);
    mark_zero_rows(view, ZeroRows::automatic);
    EXPECT_EQ(missing(view), 0);
    EXPECT_EQ(view.zero_rows, "values");
    expect_contains(view.notices.at(0), "taken as values because a tenth of the others has");
  }
}

TEST(ZeroRows, AreMissingInCounts) {
  for (const auto& X : {table(0.97, true), table(0.7, true)}) {
    const Index zero = (X.array() == 0).rowwise().all().count();
    View view = with_values(X);
    mark_zero_rows(view, ZeroRows::automatic);
    EXPECT_EQ(missing(view), zero);
    EXPECT_EQ(view.zero_rows, "missing");
    expect_contains(view.notices.at(0), "taken as missing because the other rows look like parts");
  }
}

TEST(ZeroRows, AreAQuestionBetween) {
  View view = with_values(table(0.7, false));
  const InputError error = input_error([&] { mark_zero_rows(view, ZeroRows::automatic); });
  expect_contains(error.what(),
                  "2 of 30 samples are zero in every feature ('s3', 's7'): missing, or measured?");
  expect_contains(error.hint().text(), "zero_rows=missing");
  expect_contains(error.hint().text(), "zero_rows=values");
}

TEST(ZeroRows, OfFewColumnsAreValues) {
  View view = with_values(table(0.05, true, 1));
  mark_zero_rows(view, ZeroRows::automatic);
  EXPECT_EQ(missing(view), 0);
}

TEST(ZeroRows, OfTwoColumnsWithoutOtherZerosAreAQuestion) {
  View measured = with_values(table(0, false, 2));
  expect_contains(input_error([&] { mark_zero_rows(measured, ZeroRows::automatic); }).what(),
                  "missing, or measured? 2 columns are too few to tell");
  View counts = with_values(table(0.2, true, 2));
  mark_zero_rows(counts, ZeroRows::automatic);
  EXPECT_EQ(missing(counts), 0);
}

TEST(ZeroRows, FollowThePolicy) {
  View gone = with_values(table(0.97, true)), kept = with_values(table(0, false));
  mark_zero_rows(gone, ZeroRows::missing);
  EXPECT_GE(missing(gone), 2);
  mark_zero_rows(kept, ZeroRows::values);
  EXPECT_EQ(missing(kept), 0);
  EXPECT_THROW(mark_zero_rows(kept, ZeroRows::error), InputError);
  View none = with_values(Matrix::Ones(4, 3)), all = with_values(Matrix::Zero(4, 3));
  mark_zero_rows(none, ZeroRows::error);
  mark_zero_rows(all, ZeroRows::automatic);
  EXPECT_TRUE(none.notices.empty() && all.notices.empty());
  mark_zero_rows(all, ZeroRows::missing);
  EXPECT_EQ(missing(all), 4) << "one new sample may be all that there is";
}

TEST(ZeroRows, OfAKernelAreMissingWhereTheDiagonalIsPositive) {
  Matrix X = table(0, false);
  View view = with_values(X * X.transpose(), ViewKind::kernel);
  mark_zero_rows(view, ZeroRows::automatic);
  EXPECT_TRUE(view.values.row(3).array().isNaN().all() && view.values.col(7).array().isNaN().all());
  EXPECT_EQ(view.values.array().isNaN().count(), 30 * 30 - 28 * 28);
  expect_contains(view.notices.at(0), "2 of 30 rows and columns are zero throughout");
  Matrix distances = (X * X.transpose()).cwiseAbs();
  distances.diagonal().setZero();
  View apart = with_values(distances, ViewKind::kernel);
  mark_zero_rows(apart, ZeroRows::automatic);
  EXPECT_EQ(apart.values.array().isNaN().count(), 0);
}

}  // namespace
}  // namespace mkc
