// Whether missing samples can be told from the others, on planted and on random masks.
#include "select/missingness.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "numeric/linalg/blas.hpp"
#include "select/neighbours.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

std::vector<Missingness> models_of(const Problem& problem) {
  return model_missingness(problem, neighbour_distances(problem));
}

constexpr Index n = 120;

// Three Gaussian-like views of a common state; some samples are noisier in all of them.
struct NoisyViews {
  std::vector<Matrix> kernels;
  Vector noise;
};

NoisyViews noisy_views(std::uint64_t seed) {
  Random random(seed);
  NoisyViews views{{}, Vector(n)};
  for (double& value : views.noise) value = random.uniform(0.1, 1.5);
  const Matrix state = test::random_matrix(n, 3, 10 * seed);
  for (std::uint64_t m = 0; m < 3; ++m) {
    const Matrix loadings = test::random_matrix(3, 12, 10 * seed + 1 + m);
    const Matrix X = linalg::multiply(state, loadings) +
                     views.noise.asDiagonal() * test::random_matrix(n, 12, 10 * seed + 5 + m);
    views.kernels.push_back(linalg::gram_of_rows(X));
  }
  return views;
}

// Sample i loses view 0 with the probability `chance(i)`.
template <class Chance>
Problem losing_view(const NoisyViews& views, std::uint64_t seed, Chance chance) {
  Random random(seed + 1000);
  Mask observed = Mask::Constant(n, 3, true);
  for (Index i = 0; i < n; ++i) observed(i, 0) = random.uniform() >= chance(i);
  return Problem(views.kernels, observed);
}

TEST(NeighbourDistances, FollowTheirDefinition) {
  const NoisyViews views = noisy_views(2);
  const Problem problem = losing_view(views, 2, [](Index) { return 0.3; });
  const Matrix found = neighbour_distances(problem);
  const Indices& rows = problem.view(0).rows;
  const Matrix& K = views.kernels[0];
  Vector expected(std::ssize(rows));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<double> d;
    for (const Index j : rows)
      if (j != rows[i]) d.push_back(K(rows[i], rows[i]) + K(j, j) - 2 * K(rows[i], j));
    std::sort(d.begin(), d.end());
    expected(Index(i)) = std::log((d[0] + d[1] + d[2]) / 3);
  }
  expected.array() -= expected.mean();
  expected /= std::sqrt(expected.squaredNorm() / double(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_NEAR(found(rows[i], 0), expected(Index(i)), 1e-9);
  for (const Index t : problem.missing(0)) {
    EXPECT_TRUE(std::isnan(found(t, 0)));
    EXPECT_NEAR(mean_over(found, t, other_views(problem.observed(), t, 0)),
                (found(t, 1) + found(t, 2)) / 2, 1e-12);
  }
}

TEST(Missingness, NoisySamplesThatLoseAViewAreRecognised) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const NoisyViews views = noisy_views(seed);
    const auto models = models_of(losing_view(
        views, seed, [&](Index i) { return 1 / (1 + std::exp(-4 * (views.noise(i) - 0.8))); }));
    found += models[0].predictable;
    if (!models[0].predictable) continue;
    EXPECT_GT(models[0].auc, 0.6);
    Vector noise = views.noise, odds = models[0].odds;
    noise.array() -= noise.mean();
    odds.array() -= odds.mean();
    EXPECT_GT(noise.dot(odds), 0);
    EXPECT_TRUE(std::isnan(models[1].auc));  // complete
    EXPECT_EQ(models[1].odds, Vector::Ones(n));
  }
  EXPECT_GE(found, 4);
}

TEST(Missingness, RandomMasksHardlyRaiseAnAlarm) {
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto models = models_of(losing_view(noisy_views(seed), seed, [](Index) { return 0.4; }));
    alarms += models[0].predictable;
    if (!models[0].predictable) {
      EXPECT_EQ(models[0].odds, Vector::Ones(n));
    }
  }
  EXPECT_LE(alarms, 2);
}

// Samples lose views 0 and 1 together: their pattern predicts it, what views show does not.
TEST(Missingness, PatternsOfMissingViewsAreNoReason) {
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed + 2000);
    Mask observed = Mask::Constant(n, 3, true);
    for (Index i = 0; i < n; ++i) observed(i, 0) = observed(i, 1) = random.uniform() >= 0.4;
    for (const auto& model : models_of(Problem(noisy_views(seed).kernels, observed)))
      alarms += model.predictable;
  }
  EXPECT_LE(alarms, 1);
}

TEST(Missingness, TheWorstMeanIsTheLargestOverAllWeights) {
  const Vector errors = test::random_matrix(8, 1, 3).cwiseAbs();
  double worst = 0;
  for (unsigned choice = 0; choice < 256; ++choice) {
    double sum = 0, weight = 0;
    for (Index t = 0; t < 8; ++t) {
      const double w = (choice >> unsigned(t)) % 2 == 1 ? 2 : 1;
      sum += w * errors(t);
      weight += w;
    }
    worst = std::max(worst, sum / weight);
  }
  EXPECT_NEAR(mean_under_bias(errors, 2), worst, 1e-14);
  EXPECT_NEAR(mean_under_bias(errors, 1), errors.mean(), 1e-14);
}

}  // namespace
}  // namespace mkc
