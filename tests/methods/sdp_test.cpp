#include "methods/sdp/sdp.hpp"

#include <cmath>

#include "methods/sdp/sdp_descent.hpp"
#include "methods/shared/relations.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/eigh.hpp"
#include "support/complete_with.hpp"
#include "support/finite_differences.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"
#include "support/slow_sdp.hpp"

namespace mkc {
namespace {

using test::slow_sdp_objective;

Problem small_problem(std::uint64_t seed, Index n_samples = 8, Index n_views = 3) {
  return test::random_problem(seed, {.n_samples = n_samples, .n_views = n_views, .missing = 0.3})
      .problem();
}

std::vector<Matrix> random_kernels(const Problem& problem, std::uint64_t seed) {
  std::vector<Matrix> X;
  for (Index m = 0; m < problem.n_views(); ++m)
    X.push_back(test::random_psd(problem.n_samples(), 4, seed + static_cast<std::uint64_t>(m)));
  return X;
}

Matrix best_relations(const std::vector<Matrix>& X) {
  Matrix S(std::ssize(X), std::ssize(X));
  for (Index m = 0; m < S.rows(); ++m)
    S.row(m) = relations_of_view(gram_of_matrices(X), m).transpose();
  return S;
}

TEST(SdpObjective, IsItsDefinition) {
  for (const SdpScaling scaling : {SdpScaling::balanced, SdpScaling::paper}) {
    const Problem problem = small_problem(1);
    const auto X = random_kernels(problem, 2);
    const Matrix S = best_relations(X);
    const double slow = slow_sdp_objective(problem, X, S, 0.3, scaling);
    EXPECT_NEAR(SdpObjective(problem, 0.3, scaling).value(X, S), slow, 1e-12 * slow);
  }
}

TEST(SdpObjective, ScalesMakeZeroCostTheNumberOfViews) {
  const Problem problem = small_problem(3);
  const std::vector<Matrix> zero(3, Matrix::Zero(8, 8));
  const SdpObjective objective(problem, 1, SdpScaling::balanced);
  EXPECT_NEAR(objective.terms(zero, equal_relations(3)).within, 3, 1e-12);
  EXPECT_EQ(objective.terms(zero, equal_relations(3)).between, 0);
}

// dF/dX_m = 2 W^2 o (X_m - target)
Matrix gradient_of(const SdpObjective::Block& block, const Matrix& X) {
  const Matrix difference = 2 * (X - block.target);
  Matrix G = block.weights.outside * difference;
  const Indices& I = block.weights.block;
  paste(block.weights.inside * submatrix(difference, I, I), I, G);
  return G;
}

TEST(SdpObjective, BlockHasTheGradientOfTheObjective) {
  const Problem problem = small_problem(4, 7);
  const auto X = random_kernels(problem, 5);
  const Matrix S = best_relations(X);
  const SdpObjective objective(problem, 0.7, SdpScaling::balanced);
  const auto slow = test::slow_sdp_gradient(problem, X, S, 0.7, SdpScaling::balanced);
  for (Index m = 0; m < 3; ++m) {
    const auto f = [&](const Matrix& X_m) {
      auto changed = X;
      changed[at(m)] = X_m;
      return slow_sdp_objective(problem, changed, S, 0.7, SdpScaling::balanced);
    };
    const Matrix G = gradient_of(objective.block(X, S, m), X[at(m)]);
    EXPECT_LT(test::gradient_error(f, X[at(m)], G), 1e-7);
    EXPECT_LT((G - slow[at(m)]).norm(), 1e-12 * G.norm());
  }
}

TEST(SdpObjective, BlockDiffersFromTheObjectiveByAConstant) {
  const Problem problem = small_problem(6);
  auto X = random_kernels(problem, 7);
  const Matrix S = best_relations(X);
  const SdpObjective objective(problem, 0.2, SdpScaling::paper);
  const auto block = objective.block(X, S, 1);
  const double constant = objective.value(X, S) - value_of(block, X[1]);
  X[1] = test::random_psd(8, 3, 70);
  EXPECT_NEAR(objective.value(X, S) - value_of(block, X[1]), constant, 1e-11 * std::abs(constant));
}

TEST(SdpObjective, TheRidgeOnRelationsFollowsItsDefinition) {
  const Problem problem = small_problem(23);
  const auto X = random_kernels(problem, 24), start = random_kernels(problem, 30);
  const Matrix S = best_relations(X);
  SdpObjective objective(problem, 0.3, SdpScaling::paper);
  const double without = objective.value(X, S);
  objective.set_ridge(0.5, start);
  double ridge = 0;
  for (Index m = 0; m < 3; ++m) {
    double sum = 0;
    for (Index l = 0; l < 3; ++l) sum += (start[at(m)] - start[at(l)]).squaredNorm();
    ridge += 0.5 * sum / 2 * S.row(m).squaredNorm();
  }
  EXPECT_NEAR(objective.terms(X, S).ridge, ridge, 1e-10 * ridge);
  EXPECT_NEAR(objective.value(X, S), without + 0.3 * ridge, 1e-10 * ridge);
}

TEST(SdpDescent, ExtrapolatedRoundsNeverRaiseTheObjectiveAndBeatPlainOnes) {
  const Problem problem = small_problem(25, 14, 4);
  const SdpObjective objective(problem, 0.01, SdpScaling::balanced);
  SdpDescent fast(objective, random_kernels(problem, 26), equal_relations(4));
  SdpDescent plain(objective, random_kernels(problem, 26), equal_relations(4));
  double last = fast.value();
  for (int round = 0; round < 60; ++round) {
    fast.round();
    EXPECT_LE(fast.value(), last);
    EXPECT_DOUBLE_EQ(fast.value(), objective.value(fast.kernels(), fast.relations()));
    last = fast.value();
    for (Index m = 0; m < 4; ++m) plain.update_kernel(m);
    plain.update_relations();
  }
  EXPECT_LT(fast.residual(), plain.residual());
}

TEST(SdpDescent, EveryUpdateLowersTheObjective) {
  for (const double c : {1e-3, 0.1, 10.0}) {
    const Problem problem = small_problem(8, 12, 4);
    const SdpObjective objective(problem, c, SdpScaling::balanced);
    SdpDescent descent(objective, random_kernels(problem, 9), equal_relations(4));
    double last = objective.value(descent.kernels(), descent.relations());
    const auto expect_lower = [&] {
      const double now = slow_sdp_objective(problem, descent.kernels(), descent.relations(), c,
                                            SdpScaling::balanced);
      EXPECT_LE(now, last * (1 + 1e-12));
      last = now;
    };
    for (int round = 0; round < 15; ++round) {
      for (Index m = 0; m < 4; ++m) {
        descent.update_kernel(m);
        expect_lower();
      }
      descent.update_relations();
      expect_lower();
    }
  }
}

TEST(SdpDescent, ReachesTheMinimumOverKernelsForFixedRelations) {
  for (const Index n_views : {2, 3}) {
    const Problem problem = small_problem(10, 8, n_views);
    const SdpObjective objective(problem, 0.5, SdpScaling::balanced);
    const Matrix S = equal_relations(n_views);
    auto slow = random_kernels(problem, 11);
    SdpDescent descent(objective, slow, S);
    for (int k = 0; k < 1000; ++k)
      for (Index m = 0; m < n_views; ++m) descent.update_kernel(m);
    test::slow_sdp_kernels(problem, slow, S, 0.5, SdpScaling::balanced, 1000);
    const double f = objective.value(descent.kernels(), S);
    const double slow_f = slow_sdp_objective(problem, slow, S, 0.5, SdpScaling::balanced);
    EXPECT_NEAR(f, slow_f, 1e-6 * slow_f);
    EXPECT_LT(descent.residual(), 1e-6);
  }
}

TEST(Sdp, RecoversEqualKernelsWhereEveryPairIsSeenSomewhere) {
  // three views of one kernel; sample i is missing from one of them at most
  const Matrix K = test::random_psd(18, 5, 12);
  Mask observed = Mask::Constant(18, 3, true);
  for (Index i = 0; i < 6; ++i) observed(i, i % 3) = false;
  const Problem partly({K, 2 * K, 0.5 * K}, observed);
  // a pair that two views lack between them is in the third
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 6; ++j) EXPECT_TRUE((observed.row(i) && observed.row(j)).any());
  SdpOptions options;
  options.c = 0.01;
  options.tol = 1e-9;
  options.max_iter = 5000;
  const Completion c = test::complete_with(sdp_options(), partly, options);
  EXPECT_EQ(c.info.status, Status::converged);
  EXPECT_LT((c.kernels[0] - K).norm(), 0.05 * K.norm());
  EXPECT_LT((c.kernels[1] - 2 * K).norm(), 0.05 * 2 * K.norm());
}

TEST(Sdp, HistoryNeverRisesAndInfoDescribesTheResult) {
  RunOptions fitted;
  fitted.fitted = true;
  for (const std::uint64_t seed : {13, 14, 15}) {
    const Problem problem = small_problem(seed, 14, 4);
    SdpOptions options;
    options.c = 0.1;
    options.max_iter = 5000;
    const Completion c = test::complete_with(sdp_options(), problem, options, fitted);
    EXPECT_EQ(c.info.status, Status::converged);
    EXPECT_LE(c.info.residual, options.tol);
    EXPECT_EQ(c.info.iterations, static_cast<Index>(c.info.objective.size()));
    for (std::size_t k = 1; k < c.info.objective.size(); ++k)
      EXPECT_LE(c.info.objective[k], c.info.objective[k - 1] * (1 + 1e-13));
    ASSERT_EQ(c.info.terms.size(), 3u);
    EXPECT_NEAR(c.info.terms[0].second + c.info.terms[1].second + c.info.terms[2].second,
                c.info.objective.back(), 1e-12);
    for (Index m = 0; m < 4; ++m) {
      EXPECT_EQ((*c.relations)(m, m), 0);
      EXPECT_GE(c.relations->row(m).minCoeff(), 0);
      EXPECT_NEAR(c.relations->row(m).sum(), 1, 1e-12);
      const Vector values = linalg::eigenvalues(c.kernels[at(m)]);
      EXPECT_GE(values(0), -1e-12 * values(values.size() - 1));
    }
  }
}

TEST(Sdp, InterruptedRunReturnsTheBestSoFar) {
  const Problem problem = small_problem(16, 20, 3);
  SdpOptions options;
  options.c = 0.1;
  const double converged =
      test::complete_with(sdp_options(), problem, options).info.objective.back();
  RunOptions run;
  run.progress = [](const Progress& p) { return p.iteration < 2; };
  const Completion c = test::complete_with(sdp_options(), problem, options, run);
  EXPECT_EQ(c.info.status, Status::interrupted);
  ASSERT_EQ(c.info.objective.size(), 2u);
  EXPECT_LE(c.info.objective[1], c.info.objective[0]);
  EXPECT_GE(c.info.objective[1], converged);
  EXPECT_TRUE(c.kernels[0].allFinite());
}

TEST(Sdp, StoppedWhileChoosingCReturnsTheStart) {
  RunOptions run;
  run.progress = [](const Progress&) { return false; };
  const Completion c = test::complete_with(sdp_options(), small_problem(17, 20, 3), {}, run);
  EXPECT_EQ(c.info.status, Status::interrupted);
  EXPECT_EQ(c.info.iterations, 0);
  EXPECT_TRUE(c.kernels[0].allFinite());
}

TEST(Sdp, MoreRandomStartsNeverEndHigher) {
  const Problem problem = small_problem(18, 12, 3);
  SdpOptions options;
  options.c = 0.5;
  options.start = SdpStart::random;
  double last = std::numeric_limits<double>::infinity();
  for (const Index n : {1, 2, 4}) {
    options.n_init = n;
    const double now = test::complete_with(sdp_options(), problem, options).info.objective.back();
    EXPECT_LE(now, last);
    last = now;
  }
}

TEST(Sdp, RandomStartsFollowTheNamesOfSamplesAndViews) {
  const auto original = test::random_problem(19, {.n_samples = 12, .n_views = 3});
  const Indices samples = test::random_permutation(12, 20), views = {2, 0, 1};
  SdpOptions options;
  options.c = 0.1;
  options.start = SdpStart::random;
  options.n_init = 2;
  const Completion a = test::complete_with(sdp_options(), original.problem(), options);
  const Completion b =
      test::complete_with(sdp_options(), permuted(original, samples, views).problem(), options);
  for (std::size_t v = 0; v < 3; ++v) {
    const Matrix expected = submatrix(a.kernels[at(views[v])], samples, samples);
    EXPECT_LT((b.kernels[v] - expected).norm(), 1e-8 * expected.norm());
  }
  EXPECT_LT((*b.relations - submatrix(*a.relations, views, views)).norm(), 1e-8);
}

TEST(Sdp, ReportsTheCItChose) {
  const Completion c = test::complete_with(sdp_options(), small_problem(21, 24, 3));
  ASSERT_EQ(c.info.notices.size(), 1u);
  EXPECT_NE(c.info.notices[0].find("chosen on held-out rows"), std::string::npos);
}

TEST(Sdp, KeepsTheScaleOfEveryView) {
  const auto p = test::random_problem(22, {.n_samples = 16, .n_views = 3});
  auto scaled = p;
  scaled.truth[1] *= 1000;
  SdpOptions options;
  options.c = 0.01;
  const Completion a = test::complete_with(sdp_options(), p.problem(), options);
  const Completion b = test::complete_with(sdp_options(), scaled.problem(), options);
  EXPECT_LT((b.kernels[1] - 1000 * a.kernels[1]).norm(), 1e-6 * b.kernels[1].norm());
  EXPECT_LT((b.kernels[0] - a.kernels[0]).norm(), 1e-6 * a.kernels[0].norm());
}

}  // namespace
}  // namespace mkc
