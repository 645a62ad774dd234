#include "methods/em.hpp"

#include <algorithm>

#include "numeric/blocks.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"
#include "support/complete_with.hpp"
#include "support/expect_message.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

using test::random_problem;

// The formulas as they stand, with plain inverses; v_j of a full-rank complete view.
struct SlowEm {
  Matrix V, K;   // eigenvectors; observed block
  Indices o, h;  // observed and missing samples
  Vector b;
  double floor;

  Matrix D;
  double objective = 0;

  void step() {
    const Matrix M = V * b.asDiagonal() * V.transpose();
    const Matrix M_oo = submatrix(M, o, o), M_oh = submatrix(M, o, h), M_hh = submatrix(M, h, h);
    const auto factor = linalg::Cholesky::factor(M_oo);
    const Matrix inverse = factor->inverse();
    const Matrix D_oh = K * inverse * M_oh;
    const Matrix D_hh =
        M_hh - M_oh.transpose() * inverse * M_oh + M_oh.transpose() * inverse * K * inverse * M_oh;
    D.resize(V.rows(), V.rows());
    paste(K, o, D);
    paste(D_hh, h, D);
    for (std::size_t i = 0; i < o.size(); ++i)
      for (std::size_t t = 0; t < h.size(); ++t)
        D(o[i], h[t]) = D(h[t], o[i]) = D_oh(static_cast<Index>(i), static_cast<Index>(t));
    objective = factor->log_determinant() + (inverse * K).trace();
    for (Index j = 0; j < V.cols(); ++j) b(j) = std::max(V.col(j).dot(D * V.col(j)), floor);
  }
};

// One complete view of full rank and one with samples missing.
Problem two_views(Index N, Index n_missing, std::uint64_t seed) {
  const Matrix A = test::random_psd(N, N, seed) + 0.3 * Matrix::Identity(N, N);
  const Matrix B = A + 0.2 * test::random_psd(N, N, seed + 1);
  Mask observed = Mask::Constant(N, 2, true);
  for (Index i = 0; i < n_missing; ++i) observed(2 * i, 1) = false;
  return Problem({A, B}, observed);
}

TEST(Em, FollowsItsFormulas) {
  const Problem problem = two_views(12, 4, 1);
  const SharedMatrix& A = problem.view(0).block;
  const linalg::Eigh e = linalg::eigh(A);
  const SharedMatrix& K = problem.view(1).block;
  const double diagonal = K.diagonal().mean();
  SlowEm slow{e.vectors,
              Matrix(K),
              problem.view(1).rows,
              problem.missing(1),
              e.values * (diagonal / e.values.mean()),
              1e-4 * diagonal,
              {}};
  for (const Index iterations : {1, 2, 5, 20}) {
    SlowEm copy = slow;
    for (Index k = 0; k < iterations; ++k) copy.step();
    const Completion c =
        test::complete_with(em_options(), problem, {.max_iter = iterations, .tol = 1e-14});
    EXPECT_EQ(c.info.status, Status::max_iterations);
    EXPECT_LT((c.kernels[1] - copy.D).norm(), 1e-9 * copy.D.norm());
    EXPECT_NEAR(c.info.objective.back(), copy.objective, 1e-9);
  }
}

TEST(Em, DivergenceNeverRises) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto p = random_problem(
        seed, {.n_samples = 20, .n_views = 4, .missing = 0.4, .first_view_complete = true});
    const Completion c = test::complete_with(em_options(), p.problem());
    ASSERT_EQ(c.info.iterations, static_cast<Index>(c.info.objective.size()));
    for (std::size_t k = 1; k < c.info.objective.size(); ++k)
      EXPECT_LE(c.info.objective[k],
                c.info.objective[k - 1] + 1e-9 * std::abs(c.info.objective[k - 1]));
  }
}

TEST(Em, RecoversAKernelWithTheSameEigenvectors) {
  // B = A^2 shares the v_j of A; with few missing samples b is determined
  const Matrix A = test::random_psd(15, 15, 3) + Matrix::Identity(15, 15), B = A * A;
  Mask observed = Mask::Constant(15, 2, true);
  observed(4, 1) = observed(9, 1) = false;
  const Completion start =
      test::complete_with(em_options(), Problem({A, B}, observed), {.max_iter = 1});
  const Completion c = test::complete_with(em_options(), Problem({A, B}, observed),
                                           {.max_iter = 20000, .tol = 1e-10});
  EXPECT_LT((c.kernels[1] - B).norm(), 0.01 * B.norm());
  EXPECT_LT((c.kernels[1] - B).norm(), 0.5 * (start.kernels[1] - B).norm());
}

TEST(Em, UsesTheCompleteViewMostAlignedWithTheIncompleteOne) {
  const Matrix A = test::random_psd(15, 15, 4), other = test::random_psd(15, 15, 5);
  Mask observed = Mask::Constant(15, 3, true);
  for (const Index i : {1, 5, 8}) observed(i, 2) = false;
  Mask without = observed.rightCols(2);
  const Completion both = test::complete_with(em_options(), Problem({other, A, A}, observed));
  const Completion right = test::complete_with(em_options(), Problem({A, A}, without));
  EXPECT_LT((both.kernels[2] - right.kernels[1]).norm(), 1e-9 * right.kernels[1].norm());
}

TEST(Em, NeedsACompleteView) {
  Mask observed = Mask::Constant(10, 2, true);
  observed(0, 0) = observed(1, 1) = observed(2, 1) = false;
  const Problem problem({test::random_psd(10, 4, 6), test::random_psd(10, 4, 7)}, observed);
  test::expect_message([&] { test::complete_with(em_options(), problem); },
                       "no view is complete: em needs one view that has every sample; the fullest "
                       "is 'view0' with 9 of 10");
}

TEST(Em, InterruptedRunReturnsWhatItHas) {
  RunOptions run;
  run.progress = [](const Progress& p) { return p.iteration < 3; };
  const Completion c = test::complete_with(em_options(), two_views(12, 4, 8), {}, run);
  EXPECT_EQ(c.info.status, Status::interrupted);
  EXPECT_EQ(c.info.iterations, 3);
}

TEST(Em, ZeroKernelStaysNearZero) {
  Mask observed = Mask::Constant(8, 2, true);
  observed(3, 1) = false;
  const Completion c = test::complete_with(
      em_options(), Problem({test::random_psd(8, 8, 9), Matrix::Zero(8, 8)}, observed));
  EXPECT_TRUE(c.kernels[1].allFinite());
}

}  // namespace
}  // namespace mkc
