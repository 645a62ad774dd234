// The baselines against their formulas, written out entry by entry.
#include <algorithm>
#include <cmath>
#include <set>

#include "methods/knn.hpp"
#include "methods/mean.hpp"
#include "mkc/problem/metrics.hpp"
#include "numeric/blocks.hpp"
#include "support/complete_with.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

using test::random_problem;
using test::RandomProblem;

// k^_ij = mean over other views that have the pair, times mean(K_II) / mean of it on I x I.
Matrix slow_mean(const RandomProblem& p, Index m) {
  const Index N = p.observed.rows(), M = p.observed.cols();
  Matrix K = Matrix::Constant(N, N, std::nan(""));
  for (Index i = 0; i < N; ++i)
    for (Index j = 0; j < N; ++j) {
      double sum = 0, count = 0;
      for (Index l = 0; l < M; ++l)
        if (l != m && p.observed(i, l) && p.observed(j, l)) {
          sum += p.truth[at(l)](i, j);
          ++count;
        }
      if (count > 0) K(i, j) = sum / count;
    }
  double own = 0, others = 0, own_count = 0, others_count = 0;
  for (Index i = 0; i < N; ++i)
    for (Index j = 0; j < N; ++j)
      if (p.observed(i, m) && p.observed(j, m)) {
        own += p.truth[at(m)](i, j);
        ++own_count;
        if (!std::isnan(K(i, j))) {
          others += K(i, j);
          ++others_count;
        }
      }
  const double scale = (own / own_count) / (others / others_count);
  return K.array().isNaN().select(Matrix::Constant(N, N, own / own_count), scale * K);
}

TEST(Mean, FittedMatrixFollowsItsFormula) {
  const RandomProblem p = random_problem(1, {.n_samples = 15, .n_views = 4, .missing = 0.4});
  RunOptions fitted;
  fitted.fitted = true;
  const Completion c = complete(p.problem(), "mean", fitted);
  for (Index m = 0; m < 4; ++m) {
    const Matrix expected = slow_mean(p, m);
    EXPECT_LT((c.kernels[at(m)] - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(Mean, OfCentredKernelsDoesNotDependOnRounding) {
  RandomProblem p = random_problem(3, {.n_samples = 30});
  for (std::size_t m = 0; m < 3; ++m) {  // observed blocks with the mean 0 up to rounding
    Indices rows;
    for (Index i = 0; i < 30; ++i)
      if (p.observed(i, Index(m))) rows.push_back(i);
    const Matrix block = submatrix(p.truth[m], rows, rows);
    const Vector mean = block.rowwise().mean();
    Matrix centred = block;
    centred.colwise() -= mean;
    centred.rowwise() -= mean.transpose();
    centred.array() += mean.mean();
    paste(0.5 * (centred + centred.transpose()), rows, p.truth[m]);
  }
  const Completion a = complete(p.problem(), "mean");
  const Indices order = test::random_permutation(30, 1);
  const Completion b = complete(test::permuted(p, order, {0, 1, 2}).problem(), "mean");
  for (std::size_t m = 0; m < 3; ++m)
    EXPECT_LT((b.kernels[m] - submatrix(a.kernels[m], order, order)).norm(),
              1e-8 * a.kernels[m].norm());
}

double slow_distance(const RandomProblem& p, Index i, Index j) {
  const auto d = [&](Index l, Index a, Index b) {
    const Matrix& K = p.truth[at(l)];
    return K(a, a) + K(b, b) - 2 * K(a, b);
  };
  double sum = 0, count = 0;
  for (Index l = 0; l < p.observed.cols(); ++l) {
    if (!p.observed(i, l) || !p.observed(j, l)) continue;
    double mean = 0, pairs = 0;
    for (Index a = 0; a < p.observed.rows(); ++a)
      for (Index b = 0; b < a; ++b)
        if (p.observed(a, l) && p.observed(b, l)) {
          mean += d(l, a, b);
          ++pairs;
        }
    sum += d(l, i, j) / (mean / pairs);
    ++count;
  }
  return sum / count;  // NaN where the samples share no view
}

// K^ = A'KA with A written out as a dense matrix.
Matrix slow_knn(const RandomProblem& p, Index m, std::size_t k, bool weighted) {
  const Index N = p.observed.rows();
  Matrix A = Matrix::Zero(N, N);
  for (Index t = 0; t < N; ++t) {
    if (p.observed(t, m)) {
      A(t, t) = 1;
      continue;
    }
    std::set<std::pair<double, std::string>> near;
    std::map<std::string, Index> position;
    for (Index i = 0; i < N; ++i) {
      const double d = slow_distance(p, i, t);
      if (!p.observed(i, m) || std::isnan(d)) continue;
      near.emplace(d, p.samples[at(i)]);
      position[p.samples[at(i)]] = i;
    }
    double sum = 0;
    std::size_t taken = 0;
    for (const auto& [d, name] : near) {
      if (taken++ == k) break;
      A(position[name], t) = weighted ? 1 / d : 1;
      sum += A(position[name], t);
    }
    A.col(t) /= sum;
  }
  Matrix K = p.truth[at(m)];
  for (Index i = 0; i < N; ++i)
    if (!p.observed(i, m)) {
      K.row(i).setZero();
      K.col(i).setZero();
    }
  return A.transpose() * K * A;
}

TEST(Knn, FollowsItsFormula) {
  for (const std::uint64_t seed : {2, 3, 4}) {
    const RandomProblem p = random_problem(seed, {.n_samples = 18, .n_views = 3, .missing = 0.3});
    const Completion knn = test::complete_with(knn_options("knn"), p.problem(), {.k = 3});
    const Completion wknn = test::complete_with(knn_options("wknn"), p.problem(), {.k = 4});
    for (Index m = 0; m < 3; ++m) {
      const Matrix plain = slow_knn(p, m, 3, false), weighted = slow_knn(p, m, 4, true);
      EXPECT_LT((knn.kernels[at(m)] - plain).norm(), 1e-10 * plain.norm());
      EXPECT_LT((wknn.kernels[at(m)] - weighted).norm(), 1e-10 * weighted.norm());
    }
  }
}

TEST(Knn, DiagonalIsSettledByACongruence) {
  const RandomProblem p = random_problem(7, {.n_samples = 18, .n_views = 3, .missing = 0.3});
  const Matrix expected = expected_diagonals(p.problem());
  const Completion c =
      test::complete_with(knn_options("knn"), p.problem(), {.k = 2, .diagonal = DiagonalRule::add});
  for (Index m = 0; m < 3; ++m) {
    Matrix K = slow_knn(p, m, 2, false);
    Vector d = Vector::Ones(18);
    for (Index t = 0; t < 18; ++t)
      if (!p.observed(t, m) && K(t, t) > expected(t, m)) d(t) = std::sqrt(expected(t, m) / K(t, t));
    K = d.asDiagonal() * K * d.asDiagonal();
    for (Index t = 0; t < 18; ++t)
      if (!p.observed(t, m)) K(t, t) = expected(t, m);
    EXPECT_LT((c.kernels[at(m)] - K).norm(), 1e-10 * K.norm());
  }
}

TEST(Knn, UncertaintyIsTheSpreadOfTheNeighbours) {
  const RandomProblem p = random_problem(5, {.n_samples = 18, .n_views = 3, .missing = 0.3});
  const Problem problem = p.problem();
  const Completion one = test::complete_with(knn_options("knn"), problem, {.k = 1}),
                   many = test::complete_with(knn_options("knn"), problem, {.k = 9});
  for (Index m = 0; m < 3; ++m)
    for (Index i = 0; i < 18; ++i) {
      EXPECT_NEAR((*one.uncertainty)(i, m), 0, 1e-12);  // one neighbour has no spread
      if (p.observed(i, m)) {
        EXPECT_EQ((*many.uncertainty)(i, m), 0);
      } else {
        EXPECT_GT((*many.uncertainty)(i, m), 0);
      }
    }
}

TEST(Knn, ASampleWithoutComparableSamplesGetsTheMean) {
  // Samples {0,1} have view a only, {2,3} have view b only.
  const Matrix K = Matrix::Identity(2, 2);
  const Problem problem({"w", "x", "y", "z"}, {{"a", {0, 1}, K, ""}, {"b", {2, 3}, K, ""}});
  const Completion c = test::complete_with(knn_options("knn"), problem, {.k = 1});
  EXPECT_DOUBLE_EQ(c.kernels[0](0, 2), 0.5);
  ASSERT_EQ(c.info.notices.size(), 2u);
  EXPECT_NE(c.info.notices[0].find("share no view"), std::string::npos);
}

TEST(Knn, AViewThatIsConstantUpToRoundingHasNoDistances) {
  RandomProblem p = random_problem(6, {.n_samples = 20});
  p.truth[2].setOnes();
  const Completion constant = test::complete_with(knn_options("knn"), p.problem(), {.k = 3});
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < i; ++j)
      if ((3 * i + 7 * j) % 5 < 2) p.truth[2](i, j) = p.truth[2](j, i) = 1 - 1.2e-16;
  const Completion nearly = test::complete_with(knn_options("knn"), p.problem(), {.k = 3});
  for (std::size_t m = 0; m < 2; ++m) EXPECT_EQ(nearly.kernels[m], constant.kernels[m]);
}

TEST(Knn, ADuplicateSampleTakesAllOfTheWeight) {
  // t = 3 coincides with sample 0 in view b, so wknn copies row 0 of view a.
  Matrix a = Matrix::Identity(3, 3), b(4, 4);
  b << 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1;
  const Problem problem({"p", "q", "r", "t"},
                        {{"a", {0, 1, 2}, a, ""}, {"b", {0, 1, 2, 3}, b, ""}});
  const Completion c = test::complete_with(knn_options("wknn"), problem, {.k = 3});
  EXPECT_EQ(c.kernels[0].col(3), (Eigen::Vector4d{1, 0, 0, 1}));
}

TEST(Knn, ReportsFewerNeighboursThanAskedFor) {
  const Problem problem = random_problem(4, {.n_samples = 12, .n_views = 3}).problem();
  EXPECT_TRUE(test::complete_with(knn_options("knn"), problem, {.k = 2}).info.notices.empty());
  const Completion all = test::complete_with(knn_options("knn"), problem, {.k = 13});
  ASSERT_EQ(all.info.notices.size(), 1U);
  EXPECT_NE(all.info.notices[0].find("k = 13, but view '"), std::string::npos);
}

TEST(Knn, ChoosesKOnHeldOutRowsWhereAsked) {
  const Problem problem = test::random_problem(6, {.n_samples = 30, .n_views = 3}).problem();
  for (const std::string name : {"knn", "wknn"}) {
    const Completion c = complete(problem, name + ",k=auto");
    ASSERT_FALSE(c.info.notices.empty());
    EXPECT_NE(c.info.notices[0].find("chosen on held-out rows"), std::string::npos);
    const std::string k = c.info.parameters.at(0).second;
    EXPECT_EQ(c.info.notices[0].rfind("k = " + k + ":", 0), 0u);
    EXPECT_EQ(complete(problem, name + ",k=" + k).kernels[0], c.kernels[0]);
    EXPECT_EQ(complete(problem, name).info.parameters.at(0).second, "5");
  }
}

}  // namespace
}  // namespace mkc
