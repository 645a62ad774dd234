#include "problem/kernel_width.hpp"

#include <cmath>
#include <limits>

#include "kernels/distances.hpp"
#include "kernels/functions.hpp"
#include "numeric/blocks.hpp"
#include "numeric/centred.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/loo_ridge.hpp"
#include "problem/kernel_width_cohorts.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

using namespace test;

void expect_median(const WidthChoice& choice) {
  EXPECT_FALSE(choice.chosen);
  EXPECT_EQ(choice.gamma, choice.median);
  EXPECT_EQ(choice.factor(), 1);
}

// ---- from the definition ----

// Squared errors of the samples of Y, each predicted by a fit to all others, with the ridge of the
// smallest sum: (K + lambda I) a + 1 c = y, 1'a = 0.
Vector slow_errors(const Matrix& K, const Matrix& Y) {
  const Index n = K.rows();
  Vector best = Vector::Constant(n, std::numeric_limits<double>::infinity());
  for (const double ridge : {1e-3, 1e-2, 1e-1, 1.0, 10.0}) {
    Vector errors(n);
    for (Index i = 0; i < n; ++i) {
      Indices rest = range(n);
      rest.erase(rest.begin() + i);
      Matrix system = K(rest, rest);
      system.diagonal().array() += ridge * centred(K).trace() / static_cast<double>(n);
      const auto factor = linalg::Cholesky::factor(system);
      const Vector ones = factor->solve(Vector::Ones(n - 1));
      const Matrix y = Y(rest, Eigen::all);
      const Eigen::RowVectorXd c = ones.transpose() * y / ones.sum();
      const Matrix a = factor->solve(y.rowwise() - c);
      errors(i) = (Y.row(i) - c - K(i, rest) * a).squaredNorm();
    }
    if (errors.sum() < best.sum()) best = errors;
  }
  return best;
}

// Squared distances to the mean of the others.
Vector slow_total(const Matrix& Y) {
  Vector total(Y.rows());
  for (Index i = 0; i < Y.rows(); ++i) {
    Indices rest = range(Y.rows());
    rest.erase(rest.begin() + i);
    total(i) = (Y.row(i) - Y(rest, Eigen::all).colwise().mean()).squaredNorm();
  }
  return total;
}

struct SlowGain {
  double at_median, agreement;
  double jackknife;  // standard error of their difference, from the ratio without each sample
};

// What view 0 recovers of view 1 with a multiple of its median gamma; both have all n samples.
SlowGain slow_gain(const Cohort& cohort, double factor) {
  const Index n = cohort.distances[0].rows();
  const auto kernel = [&](std::size_t m, double times) {
    return exponential_of_distances(cohort.distances[m], times * median_gamma(cohort.distances[m]));
  };
  const Matrix Y = leading_coordinates(kernel(1, 1), std::min<Index>(50, n - 1));
  const Vector total = slow_total(Y), at_median = slow_errors(kernel(0, 1), Y),
               changed = slow_errors(kernel(0, factor), Y), gained = at_median - changed;
  Vector without(n);
  for (Index i = 0; i < n; ++i) without(i) = (gained.sum() - gained(i)) / (total.sum() - total(i));
  const double squares = (without.array() - without.mean()).square().sum();
  return {1 - at_median.sum() / total.sum(), 1 - changed.sum() / total.sum(),
          std::sqrt((1 - 1 / static_cast<double>(n)) * squares)};
}

TEST(KernelWidth, AgreementIsTheShareRecoveredWithoutTheSample) {
  Cohort cohort = many_coordinates(70);
  keep(cohort, 2, range(10));  // too few to count
  const WidthChoice choice = cohort.choose()[0];
  ASSERT_TRUE(choice.chosen);
  const SlowGain slow = slow_gain(cohort, choice.factor());
  EXPECT_NEAR(choice.at_median, slow.at_median, 1e-9);
  EXPECT_NEAR(choice.agreement, slow.agreement, 1e-9);
  EXPECT_NEAR(choice.standard_error, slow.jackknife, 0.05 * slow.jackknife);
}

TEST(KernelWidth, StaysWhereTheGainIsWithinItsError) {
  for (const Index n : {24, 44}) {
    const Cohort cohort = winding(n, 2, 0.25);
    double most_gain = 0;
    for (const double factor : {1. / 16, 1. / 4, 4., 16.}) {
      const SlowGain slow = slow_gain(cohort, factor);
      const double gain = slow.agreement - slow.at_median;
      EXPECT_LT(gain, 1.8 * slow.jackknife) << factor;
      most_gain = std::max(most_gain, gain);
    }
    EXPECT_GT(most_gain, 0.025) << n;
    expect_median(cohort.choose()[0]);
  }
}

TEST(KernelWidth, AgreementIsTheMeanOverTheOtherViews) {
  const Cohort all = winding(60);
  const auto pair_of = [&](std::size_t other) {
    Cohort two = all;
    two.rows = {all.rows[0], all.rows[other]};
    two.distances = {all.distances[0], all.distances[other]};
    two.is_free = {true, true};
    return two.choose()[0].at_median;
  };
  EXPECT_NEAR(all.choose()[0].at_median, (pair_of(1) + pair_of(2)) / 2, 1e-12);
}

// ---- what is chosen ----

TEST(KernelWidth, IsNarrowerForAFineStructure) {
  const auto choices = winding(120).choose();
  EXPECT_EQ(choices[0].factor(), 4);
  for (const auto& choice : choices) {
    EXPECT_GE(choice.factor(), 1);
    EXPECT_EQ(choice.views, 2);
    EXPECT_EQ(choice.samples, 120);
    EXPECT_EQ(choice.chosen, choice.gamma != choice.median);
    if (choice.chosen) {
      EXPECT_GT(choice.agreement - choice.at_median, 0.02);
      EXPECT_GT(choice.agreement - choice.at_median, 2 * choice.standard_error);
    }
  }
}

TEST(KernelWidth, IsWiderForManyCoordinatesInLinearRelations) {
  for (const auto& choice : many_coordinates(100).choose()) {
    EXPECT_TRUE(choice.chosen);
    EXPECT_EQ(choice.factor(), 0.25);
    EXPECT_GT(choice.agreement, choice.at_median + 0.05);
  }
}

// The other view is a kernel of the same points, up to noise, whose width is known. Where the
// median recovers it as well there is no reason to change; else the width is found up to one step
// towards the median.
TEST(KernelWidth, FindsTheWidthOfTheOtherKernel) {
  const Matrix X = random_matrix(150, 2, 8);
  const Cohort cohort = cohort_of({X, X + 0.02 * normal_matrix(150, 2, 9)});
  for (const auto& [truth, expected] : {std::pair{1. / 16, 1.}, {1., 1.}, {4., 4.}, {64., 16.}}) {
    const double gamma = truth * median_gamma(cohort.distances[1]);
    const WidthView view{cohort.rows[0], &cohort.distances[0], {}},
        other{cohort.rows[1], nullptr, exponential_of_distances(cohort.distances[1], gamma)};
    EXPECT_EQ(choose_widths({view, other}, cohort.samples)[0].factor(), expected) << truth;
  }
}

TEST(KernelWidth, StaysWhereTheWidthDoesNotMatter) {
  for (const Index n : {30, 80})
    for (const std::uint64_t seed : {1, 2, 3, 4})
      for (const auto& choice : linear_relations(n, seed).choose()) expect_median(choice);
}

TEST(KernelWidth, StaysWhereViewsAreIndependent) {
  for (const Index n : {30, 80})
    for (const std::uint64_t seed : {1, 2, 3, 4})
      for (const auto& choice : noise(n, seed).choose()) expect_median(choice);
}

TEST(KernelWidth, UnrelatedViewsDoNotCount) {
  Cohort cohort = winding(120);
  const auto before = cohort.choose();
  const Cohort others = noise(120, 5);
  cohort.distances.insert(cohort.distances.end(), others.distances.begin(), others.distances.end());
  cohort.rows.insert(cohort.rows.end(), others.rows.begin(), others.rows.end());
  cohort.is_free.resize(6, true);
  const auto after = cohort.choose();
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(after[m].gamma, before[m].gamma);
    EXPECT_EQ(after[m].agreement, before[m].agreement);
    EXPECT_EQ(after[m].views, 2);
  }
  for (std::size_t m = 3; m < 6; ++m) {
    expect_median(after[m]);
    EXPECT_EQ(after[m].views, 0);
  }
}

TEST(KernelWidth, ViewsWithAFinishedKernelOnlyHelp) {
  Cohort cohort = winding(120);
  const auto before = cohort.choose();
  cohort.is_free[1] = false;
  const auto after = cohort.choose();
  EXPECT_EQ(after[0].gamma, before[0].gamma);
  EXPECT_NEAR(after[0].agreement, before[0].agreement, 1e-12);
  EXPECT_FALSE(after[1].chosen);
  EXPECT_EQ(after[1].views, 0);
}

// Laplacian kernels have a part at every scale, so their width matters less.
TEST(KernelWidth, AbsoluteDistancesServeAsWell) {
  const Matrix X = random_matrix(150, 2, 8);
  const Matrix D = absolute_distances(X),
               near = absolute_distances(X + 0.02 * normal_matrix(150, 2, 9));
  const Cohort cohort = cohort_of({X});
  for (const auto& [truth, expected] : {std::pair{1., 1.}, {4., 1.}, {64., 4.}}) {
    const WidthView view{cohort.rows[0], &D, {}},
        other{cohort.rows[0], nullptr, exponential_of_distances(near, truth * median_gamma(near))};
    const WidthChoice choice = choose_widths({view, other}, cohort.samples)[0];
    EXPECT_EQ(choice.median, median_gamma(D));
    EXPECT_EQ(choice.factor(), expected) << truth;
  }
}

// ---- few samples, gaps, order ----

TEST(KernelWidth, OneViewHasTheMedian) {
  const Cohort cohort = winding(60, 1);
  const auto choices = cohort.choose();
  expect_median(choices[0]);
  EXPECT_EQ(choices[0].gamma, median_gamma(cohort.distances[0]));
}

TEST(KernelWidth, ViewsThatShareFewSamplesAreNotCompared) {
  for (const Index shared : {19, 20}) {
    Cohort cohort = many_coordinates(100);
    cohort.is_free = {true, false, false};
    keep(cohort, 0, range(50));
    Indices late = range(100);
    late.erase(late.begin(), late.begin() + 50 - shared);
    keep(cohort, 1, late);
    keep(cohort, 2, late);
    const WidthChoice choice = cohort.choose()[0];
    EXPECT_EQ(choice.views, shared == 20 ? 2 : 0) << shared;
    EXPECT_EQ(choice.samples, shared == 20 ? 20 : 0) << shared;
    if (shared == 19) expect_median(choice);
  }
}

TEST(KernelWidth, OnlySharedSamplesAreCompared) {
  const Cohort whole = winding(120);
  Indices shared = range(120);
  shared.erase(shared.begin() + 90, shared.end());
  Matrix kernel = exponential_of_distances(whole.distances[1], 1);
  for (const Index i : {95, 100, 119}) {
    kernel.row(i).setConstant(std::numeric_limits<double>::quiet_NaN());
    kernel.col(i).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  const Matrix distances = submatrix(whole.distances[0], shared, shared);
  const WidthView view{shared, &distances, {}};
  const WidthChoice with = choose_widths({view, {range(120), nullptr, kernel}}, whole.samples)[0];
  const WidthChoice without =
      choose_widths({view, {shared, nullptr, submatrix(kernel, shared, shared)}}, whole.samples)[0];
  EXPECT_EQ(with.samples, 90);
  EXPECT_EQ(with.agreement, without.agreement);
  EXPECT_EQ(with.gamma, without.gamma);
}

TEST(KernelWidth, ConstantViewsKeepTheMedian) {
  Cohort cohort = winding(60);
  cohort.distances[2].setZero();
  const auto choices = cohort.choose();
  expect_median(choices[2]);
  EXPECT_EQ(choices[2].gamma, 1);
  EXPECT_EQ(choices[0].views, 1);
  EXPECT_TRUE(std::isfinite(choices[0].agreement));
}

// They are refused when the problem is made, with the name of the view.
TEST(KernelWidth, ViewsThatAreNotFiniteDoNotCount) {
  const Cohort cohort = winding(60);
  const auto without = choose_widths(
      {{cohort.rows[0], &cohort.distances[0], {}}, {cohort.rows[1], &cohort.distances[1], {}}},
      cohort.samples);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const Matrix kernel = Matrix::Constant(60, 60, bad);
    const auto with = choose_widths({{cohort.rows[0], &cohort.distances[0], {}},
                                     {cohort.rows[1], &cohort.distances[1], {}},
                                     {cohort.rows[2], nullptr, kernel}},
                                    cohort.samples);
    EXPECT_EQ(with[0].gamma, without[0].gamma);
    EXPECT_EQ(with[0].views, 1);
    const auto alone =
        choose_widths({{cohort.rows[0], &kernel, {}}, {cohort.rows[1], &cohort.distances[1], {}}},
                      cohort.samples);
    EXPECT_FALSE(alone[0].chosen);
    EXPECT_EQ(alone[0].views, 0);
    EXPECT_EQ(alone[1].views, 0);
  }
}

// Above 250 shared samples some are drawn by their ids.
TEST(KernelWidth, FollowsPermutedSamplesAndViews) {
  for (const Index n : {80, 300}) {
    Cohort cohort = winding(n);
    Indices late = range(n);
    late.erase(late.begin(), late.begin() + 10);
    keep(cohort, 2, late);
    const Indices order = random_permutation(n, 4);
    Cohort other = cohort;
    for (std::size_t i = 0; i < order.size(); ++i) other.samples[i] = cohort.samples[at(order[i])];
    for (std::size_t m = 0; m < 3; ++m) {  // view m becomes view 2 - m
      Indices kept, rows;
      for (Index i = 0; i < n; ++i)
        for (std::size_t k = 0; k < cohort.rows[m].size(); ++k)
          if (cohort.rows[m][k] == order[at(i)]) {
            kept.push_back(static_cast<Index>(k));
            rows.push_back(i);
          }
      other.rows[2 - m] = rows;
      other.distances[2 - m] = submatrix(cohort.distances[m], kept, kept);
    }
    const auto before = cohort.choose(), after = other.choose();
    for (std::size_t m = 0; m < 3; ++m) {
      EXPECT_EQ(after[2 - m].gamma, before[m].gamma);
      EXPECT_EQ(after[2 - m].samples, before[m].samples);
      EXPECT_NEAR(after[2 - m].agreement, before[m].agreement, 1e-12);
      EXPECT_NEAR(after[2 - m].standard_error, before[m].standard_error, 1e-12);
    }
  }
}

// Many views of which the last have lost most samples.
Cohort many_views(std::size_t views) {
  Cohort cohort = winding(60, views);
  for (std::size_t m = most_views_for_width + 1; m < views; ++m) keep(cohort, m, range(25));
  return cohort;
}

void expect_same(const WidthChoice& a, const WidthChoice& b) {
  EXPECT_EQ(a.views, b.views);
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_NEAR(a.gamma, b.gamma, 1e-12 * b.gamma);
  EXPECT_NEAR(a.agreement, b.agreement, 1e-9);
  EXPECT_NEAR(a.at_median, b.at_median, 1e-9);
}

TEST(KernelWidth, OnlyTheViewsThatShareMostSamplesAreCompared) {
  const auto all = many_views(most_views_for_width + 4).choose();
  const auto first = many_views(most_views_for_width + 1).choose();
  for (std::size_t m = 0; m <= most_views_for_width; ++m) {
    EXPECT_EQ(all[m].views, static_cast<Index>(most_views_for_width));
    expect_same(all[m], first[m]);
  }
}

TEST(KernelWidth, NamesDecideWhereManyViewsShareAsManySamples) {
  const std::size_t n = most_views_for_width + 4;
  Cohort cohort = winding(40, n);
  for (std::size_t m = 0; m < n; ++m) cohort.names.push_back(fmt::format("v{:02}", m));
  const auto choices = cohort.choose();
  Cohort permuted = cohort;
  const Indices order = random_permutation(static_cast<Index>(n), 3);
  for (std::size_t m = 0; m < n; ++m) {
    permuted.names[m] = cohort.names[at(order[m])];
    permuted.distances[m] = cohort.distances[at(order[m])];
  }
  const auto again = permuted.choose();
  for (std::size_t m = 0; m < n; ++m) expect_same(again[m], choices[at(order[m])]);
}

TEST(KernelWidth, ThreadsChangeNoBit) {
  const Cohort cohort = winding(100);
  const auto one = cohort.choose(1), four = cohort.choose(4);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(one[m].gamma, four[m].gamma);
    EXPECT_EQ(one[m].agreement, four[m].agreement);
    EXPECT_EQ(one[m].standard_error, four[m].standard_error);
  }
}

}  // namespace
}  // namespace mkc
