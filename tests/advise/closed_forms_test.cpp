// The closed forms behind advice, beside the same quantities recomputed from their definitions.

#include <cmath>

#include <Eigen/LU>

#include "advise/expectation.hpp"
#include "advise/ranking.hpp"
#include "numeric/blocks.hpp"
#include "support/random_problem.hpp"

namespace mkc::advice {
namespace {

constexpr double power = 1.2;

JointModel small_model(std::uint64_t seed) {
  return joint_model(
      test::random_problem(seed, {.n_samples = 40, .n_views = 3, .missing = 0.35}).problem(), 1);
}

Indices columns(const JointModel& model, const factor::Pattern& has, bool wanted) {
  Indices found;
  for (Index m = 0; m < model.n_views(); ++m)
    if (has[at(m)] == wanted)
      for (Index c = model.first[at(m)]; c < model.first[at(m) + 1]; ++c) found.push_back(c);
  return found;
}

// Cov(x_h | x_o) = (Omega_hh)^-1 with Omega = Sigma^-1: another way than Schur's.
Matrix conditional(const JointModel& model, const factor::Pattern& has) {
  const Matrix precision = model.sigma.inverse();
  const Indices h = columns(model, has, false);
  return submatrix(precision, h, h).inverse();
}

TEST(AdvisePatterns, OpenShareIsTheTraceOfTheConditionalCovariance) {
  const JointModel model = small_model(1);
  const Matrix label = Matrix::Random(model.X.cols(), 2);
  Patterns patterns(model, power, label);
  const factor::Pattern has = {true, false, false};
  const PatternValues values = patterns[patterns.number(has)];
  const Matrix C = conditional(model, has);
  Index first = 0;
  for (Index m = 1; m < 3; ++m) {
    const double whole = model.sigma.diagonal().segment(model.first[at(m)], model.width(m)).sum();
    const double share = C.diagonal().segment(first, model.width(m)).sum() / whole;
    EXPECT_NEAR(values.open(m), model.kept(m) * share + 1 - model.kept(m), 1e-9);
    EXPECT_NEAR(values.powered(m), std::pow(values.open(m), power), 1e-12);
    first += model.width(m);
  }
  const Matrix w = label(columns(model, has, false), Eigen::all);
  EXPECT_NEAR(values.label, (w.transpose() * C * w).trace(), 1e-9);
}

TEST(AdvisePatterns, OneMoreViewNeverOpensMore) {
  const JointModel model = small_model(2);
  Patterns patterns(model, power, Matrix::Random(model.X.cols(), 1));
  const Index one = patterns.number({false, true, false}), two = patterns.with(one, 0);
  EXPECT_LE(patterns[two].open(2), patterns[one].open(2) + 1e-12);
  EXPECT_LE(patterns[two].label, patterns[one].label + 1e-12);
  EXPECT_EQ(patterns.without(two, 0), one);
  // of an observed view: what the others leave open of it
  EXPECT_NEAR(patterns[two].open(0), patterns[one].open(0), 1e-12);
}

// A regression that is fitted again from the start.
struct SlowRegression {
  Matrix Z, P;
  Vector h;

  SlowRegression(const JointModel& model, Index m, const Vector& precisions, double lambda) {
    Indices others;
    for (Index c = 0; c < model.X.cols(); ++c)
      if (c < model.first[at(m)] || c >= model.first[at(m) + 1]) others.push_back(c);
    Z.resize(model.n_samples(), std::ssize(others) + 1);
    Z.col(0).setOnes();
    Z.rightCols(std::ssize(others)) = model.X(Eigen::all, others);
    Matrix A = lambda * Matrix::Identity(Z.cols(), Z.cols());
    A(0, 0) = 1e-6;
    for (Index i = 0; i < Z.rows(); ++i) A += precisions(i) * Z.row(i).transpose() * Z.row(i);
    P = A.inverse();
    h = (Z * P * Z.transpose()).diagonal();
  }
};

struct Fitted {
  JointModel model = small_model(3);
  Patterns patterns{model, power};
  Indices number = patterns_of(model, patterns);
  Regressions fast{model, patterns, number, 1};

  Vector precisions(Index m) {
    Vector p = Vector::Zero(model.n_samples());
    for (Index i = 0; i < p.size(); ++i)
      if (model.has(i, m)) p(i) = fast.precision(m, number[at(i)], patterns);
    return p;
  }
  double lambda(Index m) {
    const double open = fast.mean_open()(m);
    return static_cast<double>(model.n_views() - 1) * open / (1 - open);
  }
  Index missing_in(Index m) const {
    for (Index i = 0; i < model.n_samples(); ++i)
      if (!model.has(i, m)) return i;
    return -1;
  }
};

TEST(AdviseRegressions, ReductionIsThatOfARegressionFittedAgain) {
  Fitted fit;
  const Index N = fit.model.n_samples();
  for (Index m = 0; m < 3; ++m) {
    Matrix weights = Matrix::Zero(N, 3);
    for (Index t = 0; t < N; ++t)
      if (!fit.model.has(t, m)) weights(t, m) = 0.1 + 0.01 * static_cast<double>(t);
    fit.fast.weigh(weights, 1);
    const Index i = fit.missing_in(m);
    Vector p = fit.precisions(m);
    const SlowRegression before(fit.model, m, p, fit.lambda(m));
    const double d = fit.fast.precision(m, fit.number[at(i)], fit.patterns);
    p(i) += d;
    const SlowRegression after(fit.model, m, p, fit.lambda(m));
    double expected = 0;
    for (Index t = 0; t < N; ++t) {
      EXPECT_NEAR(fit.fast.leverage(t, m), before.h(t), 1e-8 * (1 + before.h(t)));
      if (t != i) expected += weights(t, m) * (before.h(t) - after.h(t)) / (1 + before.h(t));
    }
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(fit.fast.reduction(m, i, d), expected, 1e-7 * expected);
    fit.fast.add(m, i, d);
    fit.fast.refresh(1);
    for (Index t = 0; t < N; ++t)
      EXPECT_NEAR(fit.fast.leverage(t, m), after.h(t), 1e-8 * (1 + after.h(t)));
  }
}

TEST(AdviseRegressions, LossOfASampleIsThatOfARegressionFittedAgain) {
  Fitted fit;
  const Index N = fit.model.n_samples(), m = 1;
  Matrix weights = Matrix::Zero(N, 3);
  for (Index t = 0; t < N; ++t)
    if (!fit.model.has(t, m)) weights(t, m) = 1;
  fit.fast.weigh(weights, 1);
  Index i = 0;
  while (!fit.model.has(i, m)) ++i;
  Vector p = fit.precisions(m);
  const SlowRegression before(fit.model, m, p, fit.lambda(m));
  const double d = p(i);
  p(i) = 0;
  const SlowRegression after(fit.model, m, p, fit.lambda(m));
  double expected = 0;
  for (Index t = 0; t < N; ++t)
    expected += weights(t, m) * (after.h(t) - before.h(t)) / (1 + before.h(t));
  EXPECT_NEAR(-fit.fast.reduction(m, i, -d), expected, 1e-7 * expected);
}

TEST(AdviseRegressions, SurpriseIsTheResidualWithTheSampleLeftOut) {
  Fitted fit;
  const Index m = 2;
  const Vector p = fit.precisions(m), fast = fit.fast.surprise(m);
  const Matrix Y = fit.model.X.middleCols(fit.model.first[at(m)], fit.model.width(m));
  Vector slow = Vector::Ones(p.size());
  double sum = 0, count = 0;
  for (Index i = 0; i < p.size(); ++i) {
    if (!fit.model.has(i, m)) continue;
    Vector without = p;
    without(i) = 0;
    const SlowRegression left(fit.model, m, without, fit.lambda(m));
    const Matrix B = left.P * left.Z.transpose() * without.asDiagonal() * Y;
    slow(i) = (Y.row(i) - left.Z.row(i) * B).norm();
    sum += slow(i) * slow(i);
    count += 1;
  }
  for (Index i = 0; i < p.size(); ++i)
    EXPECT_NEAR(fast(i), fit.model.has(i, m) ? slow(i) / std::sqrt(sum / count) : 1, 1e-6);
}

Matrix some_errors(const JointModel& model) {
  Matrix error = Matrix::Zero(model.n_samples(), model.n_views());
  for (Index m = 0; m < model.n_views(); ++m)
    for (Index i = 0; i < model.n_samples(); ++i)
      if (!model.has(i, m)) error(i, m) = 0.1 * static_cast<double>(1 + (3 * i + 7 * m) % 5);
  return error;
}

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

// Regression: equal gains in a batch were compared through a queue that did not know the names.
TEST(AdviseRanking, EqualGainsAreInTheOrderOfTheNames) {
  const JointModel model = small_model(6);
  const std::optional<LabelModel> no_labels;
  Expectation expectation(model, model.has.select(0, Matrix::Ones(40, 3)), no_labels, {50, 0, 0},
                          1);
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
    EXPECT_EQ(ranking.assays[k].gain, 1);
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
