// app against its formula, written out view by view.
#include "methods/app/app.hpp"
#include "numeric/blocks.hpp"

#include <cmath>

#include "methods/app/app_solve.hpp"
#include "numeric/linalg/blas.hpp"
#include "support/complete_with.hpp"
#include "support/finite_differences.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"
#include "support/symmetric_solve.hpp"

namespace mkc {
namespace {

using test::random_matrix;
using test::random_problem;

Problem small_problem(std::uint64_t seed = 1) {
  return random_problem(seed, {.n_samples = 14, .n_views = 4, .missing = 0.3}).problem();
}

Problem scaled(const Problem& problem) {
  std::vector<SharedMatrix> blocks;
  for (const auto& view : problem.views())
    blocks.emplace_back(view.block / view.block.diagonal().mean());
  return problem.with_blocks(std::move(blocks));
}

// The objective, and the way to a point, for a problem that is already scaled.
struct Setting {
  Problem problem;
  double c1, c2, tau;
  Weights loo = leave_one_out_weights(problem, 1e-2);
  approx::Objective objective{problem, c1, c2, tau, loo};

  approx::Point start() const { return objective.evaluated(approx::missing_columns(problem, loo)); }

  approx::Point random_point(std::uint64_t seed) const {
    std::vector<Matrix> T;
    for (Index m = 0; m < problem.n_views(); ++m)
      T.push_back(random_matrix(problem.view(m).block.rows(),
                                static_cast<Index>(problem.missing(m).size()), seed + at(m)));
    return objective.evaluated(std::move(T));
  }
};

Setting setting(double c2 = 0.1, std::uint64_t seed = 1) {
  return {scaled(small_problem(seed)), 0.7, c2, 0.5};
}

// X = A'KA with A = [identity | T], entry by entry.
Matrix slow_kernel(const Problem& problem, Index m, const Matrix& T) {
  const ObservedKernel& view = problem.view(m);
  Matrix A = Matrix::Zero(view.block.rows(), problem.n_samples());
  for (std::size_t i = 0; i < view.rows.size(); ++i) A(static_cast<Index>(i), view.rows[i]) = 1;
  for (std::size_t t = 0; t < problem.missing(m).size(); ++t)
    A.col(problem.missing(m)[t]) = T.col(static_cast<Index>(t));
  return A.transpose() * view.block * A;
}

approx::Terms slow_terms(const Setting& s, const std::vector<Matrix>& T, const Matrix& S) {
  const Index M = s.problem.n_views();
  const double N = static_cast<double>(s.problem.n_samples());
  const auto start = approx::missing_columns(s.problem, s.loo);
  std::vector<Matrix> X, X_start;
  for (Index m = 0; m < M; ++m) {
    X.push_back(slow_kernel(s.problem, m, T[at(m)]));
    X_start.push_back(slow_kernel(s.problem, m, start[at(m)]));
  }
  approx::Terms terms;
  for (Index m = 0; m < M; ++m) {
    const SharedMatrix& K = s.problem.view(m).block;
    const double share = static_cast<double>(K.rows()) / N;
    const double b = s.c1 * share * share / K.squaredNorm();
    Matrix difference = X[at(m)];
    double sigma = 0;
    for (Index l = 0; l < M; ++l) {
      if (l == m) continue;
      difference -= S(m, l) * X[at(l)];
      sigma += s.tau * (X_start[at(m)] - X_start[at(l)]).squaredNorm() / static_cast<double>(M - 1);
    }
    terms.between += b * difference.squaredNorm();
    terms.ridge += b * sigma * S.row(m).squaredNorm();
    for (Index i = 0; i < T[at(m)].rows(); ++i) terms.l21 += s.c2 / N * T[at(m)].row(i).norm();
  }
  return terms;
}

void expect_relations(const Matrix& S) {
  for (Index m = 0; m < S.rows(); ++m) {
    EXPECT_EQ(S(m, m), 0);
    EXPECT_GE(S.row(m).minCoeff(), 0);
    EXPECT_NEAR(S.row(m).sum(), 1, 1e-12);
  }
}

TEST(AppObjective, FollowsItsDefinition) {
  const Setting s = setting();
  for (const approx::Point& point : {s.start(), s.random_point(3)}) {
    const approx::Terms fast = s.objective.terms(point), slow = slow_terms(s, point.T, point.S);
    EXPECT_NEAR(fast.between, slow.between, 1e-12 * slow.between);
    EXPECT_NEAR(fast.ridge, slow.ridge, 1e-12 * slow.ridge);
    EXPECT_NEAR(fast.l21, slow.l21, 1e-12 * slow.l21);
  }
}

TEST(AppObjective, PlainSumsWithTheScalingOfThePaper) {
  const Setting s = setting();
  const approx::Objective paper(s.problem, s.c1, s.c2, s.tau, s.loo, LossScaling::paper);
  const approx::Point point = s.random_point(3);
  double between = 0, l21 = 0;
  for (Index m = 0; m < s.problem.n_views(); ++m) {
    Matrix difference = slow_kernel(s.problem, m, point.T[at(m)]);
    for (Index l = 0; l < s.problem.n_views(); ++l)
      if (l != m) difference -= point.S(m, l) * slow_kernel(s.problem, l, point.T[at(l)]);
    between += s.c1 * difference.squaredNorm();
    l21 += s.c2 * point.T[at(m)].rowwise().norm().sum();
  }
  EXPECT_NEAR(paper.terms(point).between, between, 1e-12 * between);
  EXPECT_NEAR(paper.terms(point).l21, l21, 1e-12 * l21);
}

TEST(AppObjective, GradientOfEveryBlockAgreesWithDifferences) {
  const Setting s = setting();
  const approx::Point point = s.random_point(5);
  for (Index m = 0; m < s.problem.n_views(); ++m) {
    if (s.problem.complete(m)) continue;
    const auto smooth = [&](const Matrix& T) {
      std::vector<Matrix> all = point.T;
      all[at(m)] = T;
      return slow_terms(s, all, point.S).between;
    };
    const Matrix G = approx::smooth_gradient(s.objective.view(m), s.objective.block(point, m),
                                             s.objective.target(point, m));
    EXPECT_LT(test::gradient_error(smooth, point.T[at(m)], G), 1e-7) << "view " << m;
  }
}

TEST(AppObjective, RelationsAreBestForTheKernels) {
  const Setting s = setting();
  const approx::Point point = s.random_point(7);
  expect_relations(point.S);
  const double best = slow_terms(s, point.T, point.S).total();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Matrix S = random_matrix(4, 4, seed).cwiseAbs();
    S.diagonal().setZero();
    S = S.rowwise().sum().cwiseInverse().asDiagonal() * S;
    EXPECT_LE(best, slow_terms(s, point.T, 0.9 * point.S + 0.1 * S).total() + 1e-12);
  }
}

TEST(AppSolve, EveryVisitOfABlockLowersTheObjective) {
  for (const double c2 : {1e-3, 0.1, 1.0}) {
    const Setting s = setting(c2);
    approx::Point point = s.random_point(8);
    double before = slow_terms(s, point.T, point.S).total();
    for (int visit = 0; visit < 12; ++visit) {
      approx::descend(s.objective, visit % 4, point);
      const double after = slow_terms(s, point.T, point.S).total();
      EXPECT_LE(after, before * (1 + 1e-12));
      before = after;
    }
  }
}

TEST(AppSolve, ReachesAStationaryPoint) {
  for (const double c2 : {1e-2, 0.3, 3.0}) {
    const Setting s = setting(c2);
    const approx::Solution found =
        approx::solve(s.objective, approx::missing_columns(s.problem, s.loo), 1e-6, 2000, {});
    EXPECT_EQ(found.status, Status::converged);
    EXPECT_LE(found.residual, 1e-6);
    EXPECT_DOUBLE_EQ(found.residual, s.objective.residual(found.point));
    for (std::size_t i = 1; i < found.history.size(); ++i)
      EXPECT_LE(found.history[i], found.history[i - 1] * (1 + 1e-12));
    // no small move of one view's weights pays
    const double best = slow_terms(s, found.point.T, found.point.S).total();
    for (Index m = 0; m < 4; ++m) {
      std::vector<Matrix> moved = found.point.T;
      moved[at(m)] += 1e-3 * random_matrix(moved[at(m)].rows(), moved[at(m)].cols(), 9);
      EXPECT_GE(slow_terms(s, moved, found.point.S).total(), best * (1 - 1e-7));
    }
  }
}

TEST(AppSolve, ALargePenaltyMakesWholeRowsExactlyZero) {
  const Setting s = setting(3);
  const approx::Solution found =
      approx::solve(s.objective, approx::missing_columns(s.problem, s.loo), 1e-6, 2000, {});
  Index zero = 0;
  for (const Matrix& T : found.point.T) zero += (T.rowwise().norm().array() == 0).count();
  EXPECT_GT(zero, 0);
}

TEST(App, HistoryFallsAndTermsAddUpToItsEnd) {
  const Completion c = test::complete_with(app_options(), small_problem(), {.c2 = 0.01});
  ASSERT_FALSE(c.info.objective.empty());
  EXPECT_EQ(c.info.iterations, static_cast<Index>(c.info.objective.size()));
  EXPECT_EQ(c.info.status, Status::converged);
  EXPECT_LE(c.info.residual, 1e-4);
  for (std::size_t i = 1; i < c.info.objective.size(); ++i)
    EXPECT_LE(c.info.objective[i], c.info.objective[i - 1] * (1 + 1e-12));
  double sum = 0;
  for (const auto& term : c.info.terms) sum += term.second;
  EXPECT_NEAR(sum, c.info.objective.back(), 1e-12);
  expect_relations(*c.relations);
}

TEST(App, ReachesThePlantedSolutionWhereAllViewsAreOne) {
  // One kernel of unit diagonal and low rank behind all views: X_m = K for all m costs no
  // between-view loss, whatever S.
  test::RandomProblem p = random_problem(4, {.n_samples = 18, .n_views = 3, .missing = 0.25});
  Matrix K = test::random_psd(18, 3, 12);
  const Vector length = K.diagonal().cwiseSqrt().cwiseInverse();
  K = (length.asDiagonal() * K * length.asDiagonal()).eval();
  linalg::mirror_lower(K);
  for (Matrix& truth : p.truth) truth = K;
  const Problem problem = p.problem();
  AppOptions options{.c2 = 1e-6, .diagonal = DiagonalRule::none};
  options.tau = 0;
  const Completion c = test::complete_with(app_options(), problem, options);
  // the planted weights: K_II T = K_IU, least norm
  double planted = 0;
  for (Index m = 0; m < 3; ++m) {
    const Matrix K_IU = submatrix(K, problem.view(m).rows, problem.missing(m));
    const Matrix T = test::symmetric_solve(problem.view(m).block, K_IU);
    planted += 1e-6 / 18 * T.rowwise().norm().sum();
  }
  EXPECT_LE(c.info.objective.back(), planted);
  EXPECT_LT(c.info.terms[0].second, planted);  // between
  for (const Matrix& completed : c.kernels) EXPECT_LT((completed - K).norm(), 1e-2 * K.norm());
}

TEST(App, ViewsComeBackInTheOrderOfTheProblem) {
  const test::RandomProblem p = random_problem(2, {.n_samples = 15, .n_views = 3});
  Indices samples(15);
  for (Index i = 0; i < 15; ++i) samples[at(i)] = i;
  const Indices views{2, 0, 1};
  const AppOptions options{.c2 = 0.01};
  const Completion a = test::complete_with(app_options(), p.problem(), options);
  const Completion b =
      test::complete_with(app_options(), test::permuted(p, samples, views).problem(), options);
  for (std::size_t v = 0; v < 3; ++v) EXPECT_EQ(b.kernels[v], a.kernels[at(views[v])]);
  EXPECT_EQ(*b.relations, submatrix(*a.relations, views, views));
}

TEST(App, AScaledViewGivesAScaledKernel) {
  const Problem problem = small_problem();
  std::vector<SharedMatrix> blocks;
  for (const auto& view : problem.views()) blocks.push_back(view.block);
  blocks[1] = Matrix(64 * blocks[1]);
  const Completion a = test::complete_with(app_options(), problem),
                   b = test::complete_with(app_options(), problem.with_blocks(blocks));
  EXPECT_LT((b.kernels[1] - 64 * a.kernels[1]).norm(), 1e-9 * b.kernels[1].norm());
  EXPECT_LT((b.kernels[0] - a.kernels[0]).norm(), 1e-9 * a.kernels[0].norm());
}

TEST(App, AZeroViewStaysZero) {
  const Problem problem = small_problem();
  std::vector<SharedMatrix> blocks;
  for (const auto& view : problem.views()) blocks.push_back(view.block);
  blocks[2] = Matrix(0 * blocks[2]);
  const Completion c = test::complete_with(app_options(), problem.with_blocks(blocks));
  EXPECT_EQ(c.kernels[2], Matrix::Zero(14, 14));
  for (const Matrix& K : c.kernels) EXPECT_TRUE(K.allFinite());
}

TEST(App, AnInterruptedRunReturnsTheBestSoFar) {
  const Problem problem = small_problem();
  const auto stopped_after = [&](Index rounds, const AppOptions& options) {
    RunOptions run;
    run.progress = [&](const Progress& progress) { return progress.iteration <= rounds; };
    return test::complete_with(app_options(), problem, options, run);
  };
  AppOptions options{.c2 = 0.01};
  const Completion a = stopped_after(2, options);
  EXPECT_EQ(a.info.status, Status::interrupted);
  EXPECT_EQ(a.info.iterations, 2);
  EXPECT_GT(a.info.residual, 1e-4);
  options.max_iter = 2;
  const Completion b = test::complete_with(app_options(), problem, options);
  EXPECT_EQ(b.info.status, Status::max_iterations);
  for (std::size_t m = 0; m < a.kernels.size(); ++m) EXPECT_EQ(a.kernels[m], b.kernels[m]);

  const Completion at_once = stopped_after(0, {});  // while c2 is chosen
  EXPECT_EQ(at_once.info.status, Status::interrupted);
  EXPECT_EQ(at_once.info.iterations, 0);
  for (const Matrix& K : at_once.kernels) EXPECT_TRUE(K.allFinite());
}

TEST(App, ReportsThePenaltyItChose) {
  const Problem problem = small_problem();
  const Completion c = test::complete_with(app_options(), problem);
  ASSERT_EQ(c.info.notices.size(), 1u);
  EXPECT_NE(c.info.notices[0].find("chosen on held-out rows"), std::string::npos);
  EXPECT_TRUE(test::complete_with(app_options(), problem, {.c2 = 0.01}).info.notices.empty());

  // Views of three samples have none to spare.
  Mask observed = Mask::Constant(4, 2, true);
  observed(3, 0) = observed(0, 1) = false;
  const Problem tiny({test::random_psd(4, 4, 1), test::random_psd(4, 4, 2)}, observed);
  EXPECT_EQ(test::complete_with(app_options(), tiny).info.notices.at(0),
            "c2 = 0.01: no rows could be held out to choose it");
}

TEST(App, RandomStartsAreKeyedBySeedAndMoreOfThemAreNeverWorse) {
  const Problem problem = small_problem();
  AppOptions options{.c2 = 0.05, .start = AppStart::random, .n_init = 1};
  RunOptions run;
  run.seed = 5;
  const Completion one = test::complete_with(app_options(), problem, options, run);
  EXPECT_EQ(test::complete_with(app_options(), problem, options, run).kernels[0], one.kernels[0]);
  options.n_init = 4;
  const Completion four = test::complete_with(app_options(), problem, options, run);
  EXPECT_LE(four.info.objective.back(), one.info.objective.back());
  run.threads = 2;
  EXPECT_EQ(test::complete_with(app_options(), problem, options, run).kernels[0], four.kernels[0]);
}

TEST(App, RefusesOptionsOutOfRange) {
  EXPECT_THROW(complete(small_problem(), "app,c1=-1"), OptionError);
  EXPECT_THROW(complete(small_problem(), "app,c2=much"), OptionError);
  EXPECT_THROW(complete(small_problem(), "app,start=zero"), OptionError);
}

}  // namespace
}  // namespace mkc
