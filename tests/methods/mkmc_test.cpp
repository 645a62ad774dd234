#include "methods/mkmc.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "numeric/blocks.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"
#include "support/complete_with.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

// Views of full rank.
Problem regular_problem(std::uint64_t seed) {
  auto p = test::random_problem(seed, {.n_samples = 14, .n_views = 3, .missing = 0.3});
  for (Matrix& K : p.truth) K += 0.2 * K.diagonal().mean() * Matrix::Identity(14, 14);
  return p.problem();
}

// The iteration from its definition, with explicit inverses.
struct SlowMkmc {
  const Problem& problem;
  double lambda;
  std::vector<Matrix> Q;
  double objective = 0;

  SlowMkmc(const Problem& p, double l) : problem(p), lambda(l) {
    for (const auto& view : p.views()) {
      Q.emplace_back(Matrix::Identity(p.n_samples(), p.n_samples()));
      paste(view.block / view.block.diagonal().mean(), view.rows, Q.back());
    }
  }

  void step() {
    const Index N = problem.n_samples();
    const auto M = static_cast<double>(Q.size());
    Matrix C = lambda * Matrix::Identity(N, N);
    for (const Matrix& q : Q) C += q / M;
    objective = lambda == 0 ? 0 : M * lambda * linalg::Cholesky::factor(C)->inverse().trace();
    for (std::size_t m = 0; m < Q.size(); ++m) {
      const ObservedKernel& view = problem.views()[m];
      const Indices &I = view.rows, &T = problem.missing(static_cast<Index>(m));
      const Matrix K = view.block / view.block.diagonal().mean();
      const auto factor = linalg::Cholesky::factor(submatrix(C, I, I));
      const Matrix inverse = factor->inverse();
      const Matrix C_IT = submatrix(C, I, T);
      const Matrix K_IT = K * inverse * C_IT;
      paste(submatrix(C, T, T) - C_IT.transpose() * inverse * C_IT +
                C_IT.transpose() * inverse * K * inverse * C_IT,
            T, Q[m]);
      for (std::size_t i = 0; i < I.size(); ++i)
        for (std::size_t t = 0; t < T.size(); ++t)
          Q[m](I[i], T[t]) = Q[m](T[t], I[i]) = K_IT(static_cast<Index>(i), static_cast<Index>(t));
      objective += factor->log_determinant() + (inverse * K).trace();
    }
  }
};

TEST(Mkmc, FollowsItsFormulas) {
  const Problem problem = regular_problem(1);
  for (const double ridge : {0.0, 0.05})
    for (const Index iterations : {1, 2, 6}) {
      SlowMkmc slow(problem, ridge);
      for (Index k = 0; k < iterations; ++k) slow.step();
      const Completion c = test::complete_with(
          mkmc_options(), problem, {.ridge = ridge, .max_iter = iterations, .tol = 1e-14});
      EXPECT_EQ(c.info.status, Status::max_iterations);
      EXPECT_NEAR(c.info.objective.back(), slow.objective, 1e-8 * std::abs(slow.objective));
      for (std::size_t m = 0; m < 3; ++m) {
        const double scale = problem.views()[m].block.diagonal().mean();
        EXPECT_LT((c.kernels[m] / scale - slow.Q[m]).norm(), 1e-9 * slow.Q[m].norm());
      }
    }
}

TEST(Mkmc, ObjectiveNeverRises) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Problem problem = regular_problem(seed);
    for (const std::optional<double> ridge : {std::optional<double>{}, std::optional(0.1)}) {
      const Completion c = test::complete_with(mkmc_options(), problem,
                                               {.ridge = ridge, .max_iter = 60, .tol = 1e-8});
      for (std::size_t k = 1; k < c.info.objective.size(); ++k)
        EXPECT_LE(c.info.objective[k],
                  c.info.objective[k - 1] + 1e-9 * std::abs(c.info.objective[k - 1]));
    }
  }
}

// log det C + tr(C^-1 S)
double divergence(const Matrix& C, const Matrix& S) {
  const auto factor = linalg::Cholesky::factor(C);
  return factor->log_determinant() + factor->solve(S).trace();
}

TEST(MkmcModel, PcaIsTheBestOfItsKind) {
  const Matrix S = test::random_psd(9, 9, 3) + 0.3 * Matrix::Identity(9, 9);
  const Matrix C = CommonModel(CommonKind::pca, 3).fit(S);
  const double best = divergence(C, S);
  const linalg::Eigh pairs = linalg::eigh(C);  // three factors above equal noise
  for (Index i = 1; i < 6; ++i) EXPECT_NEAR(pairs.values(i), pairs.values(0), 1e-10);
  const double s = pairs.values(0);
  const Matrix W =
      pairs.vectors.rightCols(3) * (pairs.values.tail(3).array() - s).sqrt().matrix().asDiagonal();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix step = 0.02 * test::random_matrix(9, 3, seed);
    const Matrix moved = (W + step) * (W + step).transpose() + s * Matrix::Identity(9, 9);
    EXPECT_GE(divergence(moved, S), best - 1e-10);
  }
  for (const double factor : {0.98, 1.02})
    EXPECT_GE(divergence(W * W.transpose() + factor * s * Matrix::Identity(9, 9), S), best);
}

TEST(MkmcModel, FactorAnalysisIsEm) {
  const Matrix S = test::random_psd(9, 9, 4) + 0.3 * Matrix::Identity(9, 9);
  CommonModel model(CommonKind::fa, 2);
  Matrix C = model.fit(S);
  double before = divergence(C, S);
  for (int step = 0; step < 300; ++step) {
    C = model.fit(S);
    EXPECT_LE(divergence(C, S), before + 1e-10);
    before = divergence(C, S);
  }
  EXPECT_LT(before, divergence(CommonModel(CommonKind::pca, 2).fit(S), S));
}

TEST(Mkmc, RestrictedModelsNeverRaiseTheObjective) {
  for (const CommonKind kind : {CommonKind::pca, CommonKind::fa})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Completion c =
          test::complete_with(mkmc_options(), regular_problem(seed),
                              {.ridge = 0, .model = kind, .rank = 3, .max_iter = 60, .tol = 1e-10});
      ASSERT_GT(c.info.objective.size(), 2u);
      for (std::size_t k = 1; k < c.info.objective.size(); ++k)
        EXPECT_LE(c.info.objective[k],
                  c.info.objective[k - 1] + 1e-9 * std::abs(c.info.objective[k - 1]));
    }
}

TEST(Mkmc, AllFactorsAreTheFullModel) {
  const Problem problem = regular_problem(2);
  const Completion full = test::complete_with(mkmc_options(), problem, {.ridge = 0, .max_iter = 5}),
                   pca = test::complete_with(
                       mkmc_options(), problem,
                       {.ridge = 0, .model = CommonKind::pca, .rank = 1000, .max_iter = 5});
  // N - 1 factors and the last eigenvalue as noise
  for (std::size_t m = 0; m < 3; ++m)
    EXPECT_LT((pca.kernels[m] - full.kernels[m]).norm(), 1e-8 * full.kernels[m].norm());
}

TEST(Mkmc, ReportsThatASingularMatrixNeededARidge) {
  Mask observed = Mask::Constant(12, 2, true);
  for (const Index i : {0, 3, 7}) observed(i, 1) = false;
  const Problem low_rank({test::random_psd(12, 2, 2), test::random_psd(12, 3, 3)}, observed);
  const Completion c = test::complete_with(mkmc_options(), low_rank);
  ASSERT_EQ(c.info.notices.size(), 1u);
  EXPECT_NE(c.info.notices[0].find("singular"), std::string::npos);
  for (const auto& [name, value] : c.info.parameters)
    EXPECT_TRUE(name != "ridge" || value == "0.01");
  const Completion regular = test::complete_with(mkmc_options(), regular_problem(4));
  EXPECT_TRUE(regular.info.notices.empty());
}

TEST(Mkmc, EqualViewsAgree) {
  const Matrix K = test::random_psd(12, 12, 5) + Matrix::Identity(12, 12);
  Mask observed = Mask::Constant(12, 2, true);
  for (const Index i : {0, 3, 7}) observed(i, 1) = false;
  const Completion c = test::complete_with(mkmc_options(), Problem({K, 3 * K}, observed),
                                           {.max_iter = 2000, .tol = 1e-9});
  EXPECT_EQ(c.info.status, Status::converged);
  EXPECT_LT((c.kernels[1] - 3 * K).norm(), 0.1 * K.norm());
}

TEST(Mkmc, InterruptedRunReturnsWhatItHas) {
  RunOptions run;
  run.progress = [](const Progress& p) { return p.iteration < 2; };
  const Completion c = test::complete_with(mkmc_options(), regular_problem(6), {.tol = 1e-14}, run);
  EXPECT_EQ(c.info.status, Status::interrupted);
  EXPECT_EQ(c.info.iterations, 2);
}

}  // namespace
}  // namespace mkc
