#include "numeric/solvers/proximal_gradient.hpp"

#include <cmath>
#include <string>

#include "numeric/l21.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "support/allocation_counter.hpp"
#include "support/finite_differences.hpp"
#include "support/random_matrices.hpp"

namespace mkc::solvers {
namespace {

using linalg::Op;
using test::random_matrix;
using test::random_psd;

/// f(X) = 1/2 <X, HX> - <B, X>, g(X) = c ||X||_2,1.
struct Quadratic {
  Matrix H, B;
  prox::L21 g{0};
  Matrix HX = Matrix(B.rows(), B.cols());

  double value(const Matrix& X) {
    linalg::symm(1, H, X, 0, HX);
    return 0.5 * X.cwiseProduct(HX).sum() - X.cwiseProduct(B).sum();
  }
  double value_and_gradient(const Matrix& X, Matrix& G) {
    const double f = value(X);
    G = HX - B;
    return f;
  }
  double penalty(const Matrix& X) { return g.value(X); }
  void prox(Matrix& X, double step) { g.prox(X, step); }
  double stationarity(const Matrix& X, const Matrix& G) { return g.distance(X, G); }
};

/// f(A) = ||K - A'KA||_F^2, not convex; g(A) = c ||A||_2,1.
struct SelfReconstruction {
  Matrix K;
  prox::L21 g{0};
  Matrix KA = Matrix(K.rows(), K.cols()), R = KA;

  double value(const Matrix& A) {
    linalg::symm(1, K, A, 0, KA);
    R = K;
    linalg::gemm(-1, A, Op::transpose, KA, Op::none, 1, R);
    return R.squaredNorm();
  }
  double value_and_gradient(const Matrix& A, Matrix& G) {
    const double f = value(A);
    linalg::gemm(-4, KA, Op::none, R, Op::none, 0, G);  // -4 KA (K - A'KA)
    return f;
  }
  double penalty(const Matrix& A) { return g.value(A); }
  void prox(Matrix& A, double step) { g.prox(A, step); }
  double stationarity(const Matrix& A, const Matrix& G) { return g.distance(A, G); }
};

template <class P>
ProximalGradientResult proximal_gradient(P& problem, Matrix& X,
                                         const ProximalGradientOptions& options = {}) {
  ProximalGradientWorkspace work;
  return proximal_gradient(problem, X, options, work);
}

void expect_never_rising(const std::vector<double>& history) {
  for (std::size_t k = 1; k < history.size(); ++k)
    EXPECT_LE(history[k], history[k - 1] + 1e-13 * std::abs(history[k - 1])) << "iteration " << k;
}

// Cyclic descent over rows: row i of the group lasso has the closed form
// h_ii x + q = -c x/||x||, x = -max(0, ||q|| - c) q / (||q|| h_ii) with q = sum_{j != i} h_ij x_j -
// b_i.
Matrix group_lasso_by_rows(const Matrix& H, const Matrix& B, double c, int sweeps) {
  Matrix X = Matrix::Zero(B.rows(), B.cols());
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (Index i = 0; i < B.rows(); ++i) {
      X.row(i).setZero();
      const Eigen::RowVectorXd q = H.row(i) * X - B.row(i);
      const double length = q.norm();
      if (length > c) X.row(i) = -(length - c) / (length * H(i, i)) * q;
    }
  return X;
}

TEST(ProximalGradient, SolvesALinearSystem) {
  const Matrix H = random_psd(12, 30, 1), B = random_matrix(12, 4, 2);
  Quadratic problem{H, B};
  Matrix X = Matrix::Zero(12, 4);
  const auto result = proximal_gradient(problem, X, {.max_iterations = 5000, .tolerance = 1e-10});
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE(result.residual, 1e-10);
  EXPECT_LT((X - linalg::Cholesky::factor(H)->solve(B)).norm(), 1e-8);
  expect_never_rising(result.history);
  EXPECT_EQ(result.history.size(), static_cast<std::size_t>(result.iterations) + 1);
  EXPECT_EQ(result.history.back(), result.objective);
}

TEST(ProximalGradient, SolvesTheGroupLassoAsRowDescentDoes) {
  const Matrix D = random_matrix(40, 25, 3);
  const Matrix H = linalg::gram_of_columns(D), B = linalg::multiply_tn(D, random_matrix(40, 6, 4));
  const double c = 5;
  Quadratic problem{H, B, prox::L21(c)};
  Matrix X = Matrix::Zero(25, 6);
  const auto result = proximal_gradient(problem, X, {.max_iterations = 5000, .tolerance = 1e-10});
  const Matrix expected = group_lasso_by_rows(H, B, c, 5000);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LT((X - expected).norm(), 1e-7 * expected.norm());
  const auto zero_rows = (X.rowwise().norm().array() == 0).count();
  EXPECT_EQ(zero_rows, (expected.rowwise().norm().array() == 0).count());
  EXPECT_GT(zero_rows, 0);
  expect_never_rising(result.history);
}

TEST(ProximalGradient, ReachesAStationaryPointOfANonConvexProblem) {
  for (const std::uint64_t seed : {7, 8, 9}) {
    const Matrix K = random_psd(20, 8, seed);
    SelfReconstruction problem{K, prox::L21(3)};
    Matrix A = Matrix::Identity(20, 20) + 0.5 * random_matrix(20, 20, seed + 10);
    Matrix G(20, 20);
    EXPECT_LT((problem.value_and_gradient(A, G),
               test::gradient_error([&](const Matrix& X) { return problem.value(X); }, A, G)),
              1e-7);
    const double scale = G.norm();
    const auto result = proximal_gradient(problem, A, {.max_iterations = 20000, .tolerance = 1e-7});
    EXPECT_EQ(result.status, Status::converged);
    expect_never_rising(result.history);
    problem.value_and_gradient(A, G);
    EXPECT_LE(problem.stationarity(A, G), 1e-6 * scale);
    EXPECT_DOUBLE_EQ(result.objective, problem.value(A) + problem.penalty(A));
    EXPECT_LT(result.objective, 0.5 * result.history.front());
  }
}

TEST(ProximalGradient, ScalingTheProblemChangesNothing) {
  const Matrix H = random_psd(15, 20, 11), B = random_matrix(15, 3, 12);
  Quadratic problem{H, B, prox::L21(0.5)}, large{1e12 * H, 1e12 * B, prox::L21(0.5e12)};
  Matrix X = random_matrix(15, 3, 13), Y = X;
  const auto one = proximal_gradient(problem, X), other = proximal_gradient(large, Y);
  EXPECT_NEAR(one.iterations, other.iterations, 3);
  EXPECT_LT((X - Y).norm(), 1e-5 * X.norm());
}

TEST(ProximalGradient, AStationaryStartNeedsNoIteration) {
  const Matrix B = random_matrix(6, 2, 14);
  Quadratic problem{Matrix::Identity(6, 6), B, prox::L21(100)};
  Matrix X = Matrix::Zero(6, 2);
  const auto result = proximal_gradient(problem, X);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(X, Matrix::Zero(6, 2));
}

TEST(ProximalGradient, ABadFirstStepIsCorrected) {
  const Matrix H = random_psd(10, 20, 15), B = random_matrix(10, 1, 16);
  for (const double step : {1e-9, 1.0, 1e9}) {
    Quadratic problem{H, B};
    Matrix X = Matrix::Zero(10, 1);
    ProximalGradientWorkspace work;
    work.step = step;
    const auto result =
        proximal_gradient(problem, X, {.max_iterations = 3000, .tolerance = 1e-9}, work);
    EXPECT_EQ(result.status, Status::converged) << "step " << step;
    EXPECT_LT((X - linalg::Cholesky::factor(H)->solve(B)).norm(), 1e-6);
  }
}

TEST(ProximalGradient, FewStepsAtATimeWithOneWorkspaceReachTheSameAnswer) {
  const Matrix H = random_psd(20, 40, 17), B = random_matrix(20, 3, 18);
  Quadratic problem{H, B, prox::L21(0.3)};
  Matrix whole = Matrix::Zero(20, 3), parts = whole;
  proximal_gradient(problem, whole, {.max_iterations = 5000, .tolerance = 1e-10});
  ProximalGradientWorkspace work;
  ProximalGradientResult result;
  double objective = 1e300;
  for (int round = 0; round < 400 && result.status != Status::converged; ++round) {
    result = proximal_gradient(problem, parts, {.max_iterations = 5, .tolerance = 1e-10}, work);
    EXPECT_LE(result.objective, objective + 1e-13 * std::abs(objective));
    objective = result.objective;
  }
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_GT(work.step, 0);
  EXPECT_LT((whole - parts).norm(), 1e-7 * whole.norm());
}

TEST(ProximalGradient, AnIterationLimitShowsInTheStatus) {
  Quadratic problem{random_psd(20, 20, 19), random_matrix(20, 2, 20)};
  Matrix X = Matrix::Zero(20, 2);
  const auto result = proximal_gradient(problem, X, {.max_iterations = 7, .tolerance = 1e-14});
  EXPECT_EQ(result.status, Status::max_iterations);
  EXPECT_EQ(result.iterations, 7);
}

TEST(ProximalGradient, AnUnreachableToleranceEndsWithoutProgress) {
  Quadratic problem{random_psd(10, 20, 21), random_matrix(10, 2, 22)};
  Matrix X = Matrix::Zero(10, 2);
  const auto result = proximal_gradient(problem, X, {.max_iterations = 100000, .tolerance = 0});
  EXPECT_EQ(result.status, Status::no_progress);
  EXPECT_LT(result.iterations, 5000);
  EXPECT_LT(result.residual, 1e-9);
}

TEST(ProximalGradient, AStartWithNanDoesNotConverge) {
  Quadratic problem{random_psd(5, 5, 25), random_matrix(5, 1, 26)};
  Matrix X = Matrix::Constant(5, 1, std::nan(""));
  EXPECT_EQ(proximal_gradient(problem, X).status, Status::no_progress);
}

TEST(ProximalGradient, AllocationsDoNotDependOnTheNumberOfIterations) {
  SelfReconstruction problem{random_psd(30, 30, 23), prox::L21(0.1)};
  ProximalGradientWorkspace work;
  const auto allocations_of = [&](int iterations) {
    Matrix A = Matrix::Identity(30, 30) + 0.3 * random_matrix(30, 30, 24);
    const ProximalGradientOptions options{.max_iterations = iterations, .tolerance = 1e-12};
    const long before = test::allocations();
    const auto result = proximal_gradient(problem, A, options, work);
    EXPECT_EQ(result.iterations, iterations);
    return test::allocations() - before;
  };
  allocations_of(3);
  EXPECT_EQ(allocations_of(5), allocations_of(100));
  EXPECT_LE(allocations_of(5), 1);  // the history
}

}  // namespace
}  // namespace mkc::solvers
