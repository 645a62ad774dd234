// The closed forms behind advice, beside the same quantities recomputed from their definitions.

#include <cmath>

#include "advise/label_model.hpp"
#include "advise/regressions.hpp"
#include "advise/slow_reference.hpp"
#include "advise/trial.hpp"

#include <gtest/gtest.h>

namespace mkc::advice {
namespace {

constexpr double power = 1.2;

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

TEST(AdviseLabels, RidgeIsThatOfTheSmallestLeaveOneOutError) {
  const JointModel model = small_model(10);
  Numbers numbers{model.X.col(0) - 0.3 * model.X.col(2) + 0.3 * Vector::Random(40)};
  for (const Index i : {3, 17, 30}) numbers.of_sample(i) = std::nan("");  // without a label
  const Indices rows = labelled(Target(numbers));
  const auto n = std::ssize(rows);
  const Matrix X = model.X(rows, Eigen::all);
  const Vector y = numbers.of_sample(rows);
  const Matrix centred = X.rowwise() - X.colwise().mean();
  const double scale = centred.squaredNorm() / static_cast<double>(X.cols());
  const double variance = (y.array() - y.mean()).square().mean();
  // with an intercept that is not penalised
  const auto fitted = [&](const Vector& w, double ridge) {
    Matrix Z(n, X.cols() + 1);
    Z.col(0).setOnes();
    Z.rightCols(X.cols()) = X;
    Matrix A = Z.transpose() * w.asDiagonal() * Z;
    A.diagonal().tail(X.cols()).array() += ridge;
    return Vector(A.inverse() * (Z.transpose() * w.cwiseProduct(y)));
  };
  double least = 1e300;
  Vector weights;
  for (const double ridge : {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0}) {
    double sum = 0;
    for (Index i = 0; i < n; ++i) {
      Vector w = Vector::Ones(n);
      w(i) = 0;
      const Vector left = fitted(w, ridge * scale);
      sum += std::pow(y(i) - left(0) - X.row(i).dot(left.tail(X.cols())), 2);
    }
    if (sum < least) {
      least = sum;
      weights = fitted(Vector::Ones(n), ridge * scale).tail(X.cols());
    }
  }
  const LabelModel labels = fit_label_model(model, numbers);
  EXPECT_NEAR(labels.error, least / static_cast<double>(n) / variance, 1e-9);
  EXPECT_LT((labels.weights - weights / std::sqrt(variance)).norm(), 1e-8 * weights.norm());
}

// Falls of 400 rows: errors ~ V^2 n^-0.8 (1 + h)^(1/2), with noise.
std::vector<ErrorFall> some_falls(double noise) {
  std::vector<ErrorFall> falls;
  for (Index t = 0; t < 400; ++t) {
    const double open = t % 4 == 0 ? -0.02 * static_cast<double>(1 + t % 7) : 0;
    const double leverage = -0.01 * static_cast<double>(3 + t % 5);
    const double samples = 0.02 * static_cast<double>(4 + t % 3);
    const double other = std::sin(12.9 * static_cast<double>(t));
    falls.push_back(
        {2 * open + leverage / 2 - 0.8 * samples + noise * other, open, leverage, samples});
  }
  return falls;
}

TEST(AdviseTrial, PowersAreThoseOfTheRowsWhereTheseTell) {
  const AdviceCalibration found = calibrated_on(some_falls(1e-6), 12);
  EXPECT_EQ(found.rows, 400);
  EXPECT_NEAR(found.pattern_power, 2, 0.01);
  EXPECT_NEAR(found.sample_rate, 0.8, 0.01);
}

// The minimum of the sum of squares over the noise, plus the squared distances from the defaults.
TEST(AdviseTrial, PowersAreDrawnTowardsTheDefaults) {
  const std::vector<ErrorFall> falls = some_falls(0.3);
  const AdviceCalibration found = calibrated_on(falls, 12);
  const auto left = [](const ErrorFall& fall, double b, double a) {
    return std::pow(fall.error - b * fall.open - fall.leverage / 2 + a * fall.samples, 2);
  };
  // what is left at the smallest sum of squares, found on a grid that gets finer
  double noise = 1e300, b = 2, a = 1;
  for (double step = 0.5; step > 1e-6; step *= 0.7) {
    double best_b = b, best_a = a;
    for (Index u = -4; u <= 4; ++u)
      for (Index v = -4; v <= 4; ++v) {
        double sum = 0;
        for (const ErrorFall& fall : falls)
          sum += left(fall, b + step * double(u), a + step * double(v));
        if (sum < noise) {
          noise = sum;
          best_b = b + step * double(u);
          best_a = a + step * double(v);
        }
      }
    b = best_b;
    a = best_a;
  }
  noise /= 12;
  const auto cost = [&](double power, double rate) {
    double sum = std::pow((power - 1.5) / 0.75, 2) + std::pow((rate - 0.5) / 0.1, 2);
    for (const ErrorFall& fall : falls) sum += left(fall, power, rate) / noise;
    return sum;
  };
  const double least = cost(found.pattern_power, found.sample_rate);
  for (const double step : {-0.01, 0.01}) {
    EXPECT_LT(least, cost(found.pattern_power + step, found.sample_rate));
    EXPECT_LT(least, cost(found.pattern_power, found.sample_rate + step));
  }
  const AdviceCalibration nothing = calibrated_on({}, 12);
  EXPECT_EQ(nothing.rows, 0);
  EXPECT_EQ(nothing.pattern_power, default_pattern_power);
  EXPECT_EQ(nothing.sample_rate, default_sample_rate);
}

}  // namespace
}  // namespace mkc::advice
