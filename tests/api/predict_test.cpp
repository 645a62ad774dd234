#include "mkc/predict.hpp"

#include <cmath>
#include <limits>

#include "api/regression.hpp"
#include "mkc/complete.hpp"
#include "support/expect_message.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"
#include "support/symmetric_solve.hpp"

namespace mkc {
namespace {

using namespace test;  // NOLINT

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A random problem cut in two: a model of the first samples, the rest new.
struct Split {
  RandomProblem all;
  Index n_train;
  TrainedModel model;
  Strings new_samples;
  std::vector<NewView> views;
  Mask has;  // (new, M)
};

// The kernels of training samples are the truth, as if perfectly completed.
Split split(std::uint64_t seed, Index n_train, Index n_new, double missing = 0.3) {
  Split s{random_problem(seed, {n_train + n_new, 3, missing}), n_train, {}, {}, {}, {}};
  for (Index i = 0; i < n_train; ++i) s.model.samples.push_back(s.all.samples[std::size_t(i)]);
  for (Index x = 0; x < n_new; ++x)
    s.new_samples.push_back(s.all.samples[std::size_t(n_train + x)]);
  s.has = s.all.observed.bottomRows(n_new);
  for (Index m = 0; m < 3; ++m) {
    const Matrix& K = s.all.truth[std::size_t(m)];
    TrainedView view{s.all.views[std::size_t(m)], {}, K.topLeftCorner(n_train, n_train)};
    for (Index i = 0; i < n_train; ++i)
      if (s.all.observed(i, m)) view.rows.push_back(i);
    NewView given;
    for (Index x = 0; x < n_new; ++x)
      if (s.has(x, m)) given.which.push_back(x);
    const auto count = Index(given.which.size()), known = Index(view.rows.size());
    given.rows.resize(count, known);
    given.diagonal.resize(count);
    for (Index c = 0; c < count; ++c) {
      const Index x = n_train + given.which[std::size_t(c)];
      for (Index i = 0; i < known; ++i) given.rows(c, i) = K(x, view.rows[std::size_t(i)]);
      given.diagonal(c) = K(x, x);
    }
    s.model.views.push_back(std::move(view));
    s.views.push_back(std::move(given));
  }
  return s;
}

TEST(LeaveOutRows, EqualsRefittingWithoutTheRow) {
  const Index n = 9;
  const double ridge = 0.05;
  const Matrix K = random_psd(n, n, 1), G = random_psd(n, n, 2);
  const Matrix Q = symmetric_solve(G + ridge * Matrix::Identity(n, n), Matrix::Identity(n, n));
  const LeftOut left_out = leave_out_rows(K, Q, ridge);
  for (Index t = 0; t < n; ++t) {
    Indices rest;
    for (Index i = 0; i < n; ++i)
      if (i != t) rest.push_back(i);
    const Matrix G_rest = G(rest, rest);
    const Vector w =
        symmetric_solve(G_rest + ridge * Matrix::Identity(n - 1, n - 1), G(rest, Indices{t}));
    double error = 0, length = 0, predicted_length = 0;
    for (const Index j : rest) {
      double predicted = 0;
      for (std::size_t i = 0; i < rest.size(); ++i) predicted += K(j, rest[i]) * w(Index(i));
      error += std::pow(predicted - K(j, t), 2);
      length += K(j, t) * K(j, t);
      predicted_length += predicted * predicted;
    }
    EXPECT_NEAR(left_out.errors(t), std::sqrt(error / length), 1e-9);
    EXPECT_NEAR(left_out.lengths(t), std::sqrt(predicted_length), 1e-9);
    const double unexplained = G(t, t) - (G(rest, Indices{t}).transpose() * w)(0);
    EXPECT_NEAR(left_out.variance(t), unexplained, 1e-8);
  }
}

// The prediction from its definition, every matrix written out, with the choice that leaves the
// smallest error when rows are refitted without themselves.
TEST(Predict, FollowsItsDefinition) {
  const Split s = split(3, 14, 3, 0);
  TrainedModel model = s.model;
  std::vector<NewView> views = s.views;
  views[0] = {};  // no sample has the first view
  const Prediction prediction = predict(model, s.new_samples, views);

  const Index n = 14;
  const Matrix I = Matrix::Identity(n, n);
  std::vector<double> scale;
  for (const auto& view : model.views) scale.push_back(view.kernel.diagonal().mean());
  const Matrix K = model.views[0].kernel / scale[0];
  const auto shaped = [&](const Matrix& P, const Vector& own_a, const Vector& own_b, double mean,
                          double gamma, bool constant) {
    Matrix G = P;
    for (Index i = 0; i < P.rows(); ++i)
      for (Index j = 0; j < P.cols(); ++j) {
        if (gamma > 0)
          G(i, j) = std::exp(-gamma * std::max(0.0, own_a(i) + own_b(j) - 2 * P(i, j)) / mean);
        if (constant) G(i, j) += 10;
      }
    return G;
  };
  const auto mean_distance = [&](const Matrix& P) {
    double sum = 0;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) sum += std::max(0.0, P(i, i) + P(j, j) - 2 * P(i, j));
    return sum / double(n * (n - 1));
  };
  // Weights of the sources.
  Vector w(2);
  for (Index l = 1; l <= 2; ++l) {
    const Matrix P = model.views[std::size_t(l)].kernel / scale[std::size_t(l)];
    const Matrix G = shaped(P, P.diagonal(), P.diagonal(), mean_distance(P), 0.5, true);
    const Matrix Q = symmetric_solve(G + 0.02 * I, I);
    double error = 0;
    for (Index t = 0; t < n; ++t)
      error += Q.col(t).dot(K * Q.col(t)) / (Q(t, t) * Q(t, t)) / double(n);
    w(l - 1) = std::pow(error, -1.5);
  }
  w /= w.sum();
  Matrix P = Matrix::Zero(n, n), P_new = Matrix::Zero(n, 3);
  Vector own = Vector::Zero(3);
  for (Index l = 1; l <= 2; ++l) {
    const Matrix& truth = s.all.truth[std::size_t(l)];
    const double share = w(l - 1) / scale[std::size_t(l)];
    P += share * truth.topLeftCorner(n, n);
    P_new += share * truth.topRightCorner(n, 3);
    own += share * truth.diagonal().tail(3);
  }
  const double mean = mean_distance(P);
  double least = 1e300;
  Matrix expected;
  for (const auto& [gamma, constant] :
       {std::pair{0.5, true}, {0.0, false}, {1.0, false}, {1.0, true}})
    for (const double ridge : {0.02, 0.003, 0.2}) {
      const Matrix G = shaped(P, P.diagonal(), P.diagonal(), mean, gamma, constant);
      const Matrix Q = symmetric_solve(G + ridge * I, I);
      const double error = leave_out_rows(K, Q, ridge).errors.mean();
      if (error >= 0.99 * least) continue;
      least = error;
      const Matrix g = shaped(P_new, P.diagonal(), own, mean, gamma, constant);
      expected = (model.views[0].kernel * symmetric_solve(G + ridge * I, g)).transpose();
    }
  EXPECT_LT((prediction.rows[0] - expected).cwiseAbs().maxCoeff(),
            1e-7 * expected.cwiseAbs().maxCoeff());
  for (const std::size_t l : {1u, 2u})  // given, and everyone has them: as given
    EXPECT_EQ(prediction.rows[l], views[l].rows);
}

TEST(Predict, ExtendsAGivenRowToTrainingSamplesThatLackTheView) {
  // Rank 2 everywhere: the row at the missing samples is determined by the others.
  const Matrix Z = random_matrix(13, 2, 5), K = Z * Z.transpose();
  TrainedModel model;
  for (Index i = 0; i < 12; ++i) model.samples.push_back("s" + std::to_string(i));
  model.views.push_back({"a", {0, 2, 3, 5, 7, 8}, K.topLeftCorner(12, 12)});
  model.views.push_back({"b", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, K.topLeftCorner(12, 12)});
  NewView given{{0}, Matrix(1, 6), Vector::Constant(1, K(12, 12))};
  for (Index i = 0; i < 6; ++i) given.rows(0, i) = K(12, model.views[0].rows[std::size_t(i)]);
  const Prediction prediction = predict(model, {"new"}, {given, {}});
  EXPECT_LT((prediction.rows[0].row(0) - K.row(12).head(12)).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Predict, GivesATrainingSampleItsOwnRows) {
  const RandomProblem random = random_problem(6, {18, 3, 0.3});
  const Problem problem = random.problem();
  const Completion completion = complete(problem, "wknn");
  const TrainedModel model = trained_model(problem, completion);
  std::vector<NewView> views;
  for (Index m = 0; m < 3; ++m) {
    NewView given;
    if (random.observed(4, m)) {
      const auto& rows = problem.view(m).rows;
      given.which = {0};
      given.diagonal = Vector::Constant(1, nan);
      given.rows.resize(1, Index(rows.size()));
      for (std::size_t i = 0; i < rows.size(); ++i)
        given.rows(0, Index(i)) = completion.kernels[std::size_t(m)](4, rows[i]);
    }
    views.push_back(std::move(given));
  }
  const Prediction own = predict(model, {random.samples[4]}, views);
  for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(own.rows[m].row(0), completion.kernels[m].row(4));
  auto fewer = views;  // a view that it had in training is not given: its row is known all the same
  for (Index m = 2; m >= 0; --m)
    if (random.observed(4, m)) {
      fewer[std::size_t(m)] = {};
      const Prediction exact = predict(model, {random.samples[4]}, fewer);
      EXPECT_EQ(exact.rows[std::size_t(m)].row(0), completion.kernels[std::size_t(m)].row(4));
      EXPECT_EQ(exact.quality.high(0, m), 0);
      break;
    }
  for (auto& view : views) view.rows *= 1.01;
  const Prediction other = predict(model, {random.samples[4]}, views);
  ASSERT_FALSE(other.notices.empty());
  EXPECT_NE(other.notices.back().find("taken as new"), std::string::npos);
}

TEST(Predict, OrderOfSamplesAndNumberOfThreadsChangeNothing) {
  const Split s = split(7, 40, 8);
  const Prediction one = predict(s.model, s.new_samples, s.views);
  EXPECT_EQ(one.observed.cast<int>().matrix(), s.has.cast<int>().matrix());
  const Prediction two = predict(s.model, s.new_samples, s.views, {2});
  Split turned = s;
  std::reverse(turned.new_samples.begin(), turned.new_samples.end());
  for (auto& view : turned.views) {
    for (auto& x : view.which) x = 7 - x;
    std::reverse(view.which.begin(), view.which.end());
    view.rows = view.rows.colwise().reverse().eval();
    view.diagonal = view.diagonal.reverse().eval();
  }
  const Prediction other = predict(turned.model, turned.new_samples, turned.views);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(one.rows[m], two.rows[m]);
    EXPECT_LT((one.rows[m] - other.rows[m].colwise().reverse()).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Predict, IntervalsHoldTheTrueErrors) {
  Index inside = 0, count = 0;
  double error = 0, estimated = 0;
  for (std::uint64_t seed = 10; seed < 16; ++seed) {
    const Split s = split(seed, 60, 30);
    const Prediction prediction = predict(s.model, s.new_samples, s.views);
    for (Index m = 0; m < 3; ++m)
      for (Index x = 0; x < 30; ++x) {
        if (s.has(x, m)) {
          EXPECT_TRUE(std::isnan(prediction.quality.error(x, m)));
          continue;
        }
        const auto truth = s.all.truth[std::size_t(m)].row(60 + x).head(60);
        const double is = (prediction.rows[std::size_t(m)].row(x) - truth).norm() / truth.norm();
        inside += is >= prediction.quality.low(x, m) && is <= prediction.quality.high(x, m);
        ++count;
        error += is;
        estimated += prediction.quality.error(x, m);
      }
  }
  EXPECT_GT(double(inside), 0.84 * double(count));
  EXPECT_LT(error / double(count), 0.5);
  EXPECT_NEAR(estimated / error, 1, 0.25);
}

TEST(Predict, RefusesViewsThatDoNotFit) {
  const Split s = split(8, 20, 2, 0);
  std::vector<NewView> views = s.views;
  views[1].rows.conservativeResize(2, 19);
  expect_message([&] { predict(s.model, s.new_samples, views); },
                 "view 'v1': kernel rows have 19 columns, but 20 training samples");
  views = s.views;
  for (auto& view : views) {
    view.which = {0};
    view.rows.conservativeResize(1, 20);
    view.diagonal.conservativeResize(1);
  }
  expect_message([&] { predict(s.model, s.new_samples, views); },
                 "new sample 's21' has none of the model's views");
  views = s.views;
  views[2].rows(1, 3) = nan;
  expect_message([&] { predict(s.model, s.new_samples, views); },
                 "view 'v2': sample 's21' has a value that is not a number");
}

}  // namespace
}  // namespace mkc
