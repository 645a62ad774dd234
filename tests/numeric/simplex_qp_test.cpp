#include "numeric/solvers/simplex_qp.hpp"

#include <cmath>
#include <limits>

#include "mkc/base/error.hpp"
#include "support/random_matrices.hpp"
#include "support/symmetric_solve.hpp"

namespace mkc::solvers {
namespace {

using test::random_matrix;
using test::random_psd;

double objective(const Matrix& H, const Vector& b, const Vector& s) {
  return 0.5 * s.dot(H * s) - b.dot(s);
}

// The slow and obvious way: on every support solve [H 1; 1' 0] (s, -nu) = (b, 1) in least squares,
// keep the best feasible answer.
double best_over_all_supports(const Matrix& H, const Vector& b) {
  const Index n = b.size();
  double best = std::numeric_limits<double>::infinity();
  for (unsigned support = 1; support < (1u << n); ++support) {
    Indices in;
    for (Index i = 0; i < n; ++i)
      if (support >> i & 1u) in.push_back(i);
    const Index k = static_cast<Index>(in.size());
    Matrix system = Matrix::Zero(k + 1, k + 1);
    system.topLeftCorner(k, k) = H(in, in);
    system.row(k).head(k).setOnes();
    system.col(k).head(k).setOnes();
    Vector right = Vector::Ones(k + 1);
    right.head(k) = b(in);
    const Vector solution = test::symmetric_solve(system, right);
    if ((system * solution - right).norm() > 1e-9 || solution.head(k).minCoeff() < -1e-12) continue;
    Vector s = Vector::Zero(n);
    s(in) = solution.head(k);
    best = std::min(best, objective(H, b, s));
  }
  return best;
}

// With g = Hs - b and nu = s'g: g_i >= nu everywhere, g_i = nu on the support.
void expect_optimal(const Matrix& H, const Vector& b, const Vector& s) {
  EXPECT_GE(s.minCoeff(), 0);
  EXPECT_NEAR(s.sum(), 1, 1e-14);
  const Vector g = H * s - b;
  const double nu = s.dot(g), scale = H.cwiseAbs().maxCoeff() + b.cwiseAbs().maxCoeff();
  EXPECT_TRUE((g.array() - nu >= -1e-12 * scale).all());
  EXPECT_TRUE((s.array() == 0 || g.array() - nu <= 1e-12 * scale).all());
}

TEST(SimplexQpTest, IdentityIsTheProjection) {
  for (const Index n : {2, 7, 60}) {
    const Vector b = random_matrix(n, 1, 1);
    expect_optimal(Matrix::Identity(n, n), b, simplex_qp(Matrix::Identity(n, n), b));
  }
  EXPECT_EQ(simplex_qp(Matrix::Identity(3, 3), Vector{{5, 0, 0}}), (Vector{{1, 0, 0}}));
}

TEST(SimplexQpTest, DiagonalWithoutLinearTermWeighsInversely) {
  const Vector d{{1, 2, 4}};
  const Vector s = simplex_qp(d.asDiagonal().toDenseMatrix(), Vector::Zero(3));
  EXPECT_LT((s - Vector{{4, 2, 1}} / 7).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(SimplexQpTest, OneVariableIsOne) {
  EXPECT_EQ(simplex_qp(Matrix::Constant(1, 1, 3), Vector::Constant(1, 2))(0), 1);
}

TEST(SimplexQpTest, ZeroMatrixTakesTheLargestLinearTermAndTheLowestIndexOfATie) {
  EXPECT_EQ(simplex_qp(Matrix::Zero(4, 4), Vector{{1, 3, 3, 2}}), (Vector{{0, 1, 0, 0}}));
  EXPECT_EQ(simplex_qp(Matrix::Zero(3, 3), Vector::Zero(3)), (Vector{{1, 0, 0}}));
}

TEST(SimplexQpTest, AgreesWithAllSupports) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Index n = 1 + static_cast<Index>(seed % 6), rank = 1 + static_cast<Index>(seed % 7);
    const Matrix H = random_psd(n, rank, seed);
    const Vector b = random_matrix(n, 1, seed + 1000);
    const Vector s = simplex_qp(H, b);
    expect_optimal(H, b, s);
    EXPECT_NEAR(objective(H, b, s), best_over_all_supports(H, b), 1e-12) << "seed " << seed;
  }
}

TEST(SimplexQpTest, LargerMatricesOfFullAndOfLowRank) {
  for (const Index n : {20, 100, 250})
    for (const Index rank : {Index{1}, Index{3}, n / 2, n, 2 * n}) {
      const Matrix H = random_psd(n, rank, static_cast<std::uint64_t>(n + rank));
      const Vector b = random_matrix(n, 1, static_cast<std::uint64_t>(n * rank));
      expect_optimal(H, b, simplex_qp(H, b));
    }
}

TEST(SimplexQpTest, LeastSquaresOfNearlyCollinearColumns) {
  // What a view's weights look like: b in the range of H, columns almost equal.
  const Matrix X = Matrix::Ones(200, 1) * Matrix::Ones(1, 8) + 1e-4 * random_matrix(200, 8, 3);
  const Vector weights = random_matrix(8, 1, 4).cwiseMax(0), y = X * weights / weights.sum();
  const Matrix H = X.transpose() * X;
  const Vector b = X.transpose() * y;
  expect_optimal(H, b, simplex_qp(H, b));
}

TEST(SimplexQpTest, RepeatedColumnsShareTheWeightOfOne) {
  const Matrix X = random_matrix(30, 5, 5);
  Matrix twice(30, 10);
  twice << X, X;
  const Vector y = random_matrix(30, 1, 6);
  const Vector once = simplex_qp(X.transpose() * X, X.transpose() * y);
  const Vector both = simplex_qp(twice.transpose() * twice, twice.transpose() * y);
  EXPECT_LT((both.head(5) + both.tail(5) - once).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(SimplexQpTest, PermutingTheVariablesPermutesTheAnswer) {
  const Index n = 40;
  const Matrix H = random_psd(n, 60, 7);
  const Vector b = random_matrix(n, 1, 8);
  const Indices order = test::random_permutation(n, 9);
  const Vector s = simplex_qp(H, b), t = simplex_qp(H(order, order), b(order));
  EXPECT_LT((t - s(order)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(SimplexQpTest, ScaleAndShiftOfTheProblemChangeNothing) {
  const Matrix H = random_psd(15, 20, 10);
  const Vector b = random_matrix(15, 1, 11), s = simplex_qp(H, b);
  EXPECT_LT((simplex_qp(1e-80 * H, 1e-80 * b) - s).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((simplex_qp(1e80 * H, 1e80 * b) - s).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((simplex_qp(H, b + Vector::Constant(15, 4)) - s).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(SimplexQpTest, RefusesWhatDoesNotFit) {
  EXPECT_THROW(simplex_qp(Matrix::Zero(2, 3), Vector::Zero(2)), InputError);
  EXPECT_THROW(simplex_qp(Matrix(0, 0), Vector()), InputError);
  EXPECT_THROW(simplex_qp(Matrix::Constant(2, 2, std::nan("")), Vector::Zero(2)), InputError);
}

}  // namespace
}  // namespace mkc::solvers
