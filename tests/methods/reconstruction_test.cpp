// What the embedding methods share, against brute force.
#include "methods/shared/reconstruction.hpp"
#include "numeric/blocks.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/linalg/eigh.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"
#include "support/symmetric_solve.hpp"

namespace mkc {
namespace {

using test::random_matrix;
using test::random_problem;

Problem some_problem(std::uint64_t seed = 1) {
  return random_problem(seed, {.n_samples = 16, .n_views = 4, .missing = 0.35}).problem();
}

// (K_RR + ridge I)^-1 K_Rt
Vector ridge_regression(const MatrixRef& K, const Indices& R, Index t, double ridge) {
  Matrix K_RR = submatrix(K, R, R);
  K_RR.diagonal().array() += ridge;
  return test::symmetric_solve(K_RR, submatrix(K, R, {t}));
}

TEST(LeaveOneOutWeights, ObservedSamplesAreRegressedOnTheOthers) {
  const Problem problem = some_problem();
  for (const double relative : {1e-3, 1e-1}) {
    const Weights weights = leave_one_out_weights(problem, relative);
    for (Index m = 0; m < problem.n_views(); ++m) {
      const SharedMatrix& K = problem.view(m).block;
      const double ridge = relative * K.diagonal().mean();
      for (Index t = 0; t < K.rows(); ++t) {
        Indices without;
        for (Index i = 0; i < K.rows(); ++i)
          if (i != t) without.push_back(i);
        const Vector expected = ridge_regression(K, without, t, ridge);
        const Vector found = weights[at(m)].col(problem.view(m).rows[at(t)]);
        EXPECT_EQ(found(t), 0);
        EXPECT_LT((found(without) - expected).norm(), 1e-8 * (1 + expected.norm()));
      }
    }
  }
}

TEST(LeaveOneOutWeights, MissingSamplesComeFromTheViewsThatHaveThem) {
  const Problem problem = some_problem(2);
  const double relative = 1e-2;
  const Weights weights = leave_one_out_weights(problem, relative, 2);
  for (Index m = 0; m < problem.n_views(); ++m)
    for (const Index t : problem.missing(m)) {
      Vector sum = Vector::Zero(problem.view(m).block.rows());
      double count = 0;
      for (Index l = 0; l < problem.n_views(); ++l) {
        if (!problem.observed()(t, l)) continue;
        const Indices here = positions_in(problem.view(m), problem.n_samples());
        const Indices there = positions_in(problem.view(l), problem.n_samples());
        Indices in_m, in_l;
        for (Index i = 0; i < problem.n_samples(); ++i)
          if (here[at(i)] >= 0 && there[at(i)] >= 0) {
            in_m.push_back(here[at(i)]);
            in_l.push_back(there[at(i)]);
          }
        if (in_m.empty()) continue;
        const SharedMatrix& K = problem.view(l).block;
        const double ridge = relative * submatrix(K, in_l, in_l).diagonal().mean();
        sum(in_m) += ridge_regression(K, in_l, there[at(t)], ridge);
        ++count;
      }
      const Vector expected = sum / count;
      EXPECT_LT((weights[at(m)].col(t) - expected).norm(), 1e-9 * (1 + expected.norm()));
    }
}

TEST(LeaveOneOutWeights, ASampleWithoutACommonViewGetsEqualWeights) {
  // Samples 0-3 have the first view only, 4-7 the second only: nothing links them.
  Mask observed = Mask::Constant(8, 2, false);
  observed.col(0).head(4).setConstant(true);
  observed.col(1).tail(4).setConstant(true);
  const Problem problem({test::random_psd(8, 8, 1), test::random_psd(8, 8, 2)}, observed);
  const Weights weights = leave_one_out_weights(problem, 1e-2);
  EXPECT_EQ(weights[0].rightCols(4), Matrix::Constant(4, 4, 0.25));
  EXPECT_EQ(weights[1].leftCols(4), Matrix::Constant(4, 4, 0.25));
}

TEST(LeaveOneOutWeights, DoNotDependOnThreads) {
  const Problem problem = some_problem(3);
  EXPECT_EQ(leave_one_out_weights(problem, 1e-2, 1), leave_one_out_weights(problem, 1e-2, 2));
}

TEST(Carrier, IsTheIdentityOnObservedSamplesAndTheWeightsElsewhere) {
  const Problem problem = some_problem();
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    const Matrix A = random_matrix(view.block.rows(), problem.n_samples(), 4);
    const Matrix H = carrier(view, A);
    EXPECT_EQ(Matrix(H(Eigen::all, view.rows)),
              Matrix::Identity(view.block.rows(), view.block.rows()));
    EXPECT_EQ(Matrix(H(Eigen::all, problem.missing(m))), Matrix(A(Eigen::all, problem.missing(m))));
  }
}

TEST(PositionsIn, InvertsTheRows) {
  const ObservedKernel view{"a", {1, 2, 5}, Matrix(Matrix::Identity(3, 3)), ""};
  EXPECT_EQ(positions_in(view, 6), (Indices{-1, 0, 1, -1, -1, 2}));
}

// Three views on 4 samples: "a" has a constant diagonal, "b" and "c" do not.
Problem diagonals_problem() {
  const auto diagonal = [](std::initializer_list<double> values) {
    return Matrix(Eigen::Map<const Vector>(values.begin(), std::ssize(values)).asDiagonal());
  };
  return Problem({"s0", "s1", "s2", "s3"}, {{"a", {0, 1, 2}, diagonal({2, 2, 2}), ""},
                                            {"b", {0, 1, 3}, diagonal({1, 2, 3}), ""},
                                            {"c", {0, 1, 2, 3}, diagonal({4, 1, 1, 2}), ""}});
}

TEST(ExpectedDiagonals, AreThoseOfTheFormula) {
  const Problem problem = diagonals_problem();
  const Matrix expected = expected_diagonals(problem);
  EXPECT_EQ(expected.col(0), Vector::Constant(4, 2.0));  // constant: the view's own
  // s2 in "b": 2 in "a", scaled by (1 + 2) / (2 + 2) over common samples; 1 in "c", scaled by 6 / 7
  const double from_a = 2 * 3.0 / 4.0, from_c = 1 * 6.0 / 7.0;
  EXPECT_NEAR(expected(2, 1), (from_a + from_c) / 2, 1e-15);

  Matrix S = Matrix::Zero(3, 3);
  S(1, 0) = 0.25;
  S(1, 2) = 0.75;
  EXPECT_NEAR(expected_diagonals(problem, S)(2, 1), 0.25 * from_a + 0.75 * from_c, 1e-15);
  S(1, 0) = 0;  // weights of 0 on every view that has the sample count as equal weights
  S(1, 2) = 0;
  EXPECT_NEAR(expected_diagonals(problem, S)(2, 1), (from_a + from_c) / 2, 1e-15);
}

class Reconstructed : public ::testing::TestWithParam<DiagonalRule> {};

TEST_P(Reconstructed, KeepsTheBlockAndIsPositiveSemidefinite) {
  for (const double size : {0.01, 0.2, 2.0}) {  // weights that explain too little and too much
    const Problem problem = some_problem(5);
    Weights weights;
    for (Index m = 0; m < problem.n_views(); ++m)
      weights.push_back(
          size * random_matrix(problem.view(m).block.rows(), problem.n_samples(), 6 + at(m)));
    const auto kernels = reconstructed_kernels(problem, weights, GetParam());
    EXPECT_EQ(kernels, reconstructed_kernels(problem, weights, GetParam(), {}, 2));
    for (Index m = 0; m < problem.n_views(); ++m) {
      const Matrix& K = kernels[at(m)];
      EXPECT_EQ(submatrix(K, problem.view(m).rows, problem.view(m).rows), problem.view(m).block);
      EXPECT_EQ(K, K.transpose());
      const Vector values = linalg::eigenvalues(K);
      EXPECT_GE(values(0), -1e-12 * values(values.size() - 1));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BothRules, Reconstructed,
                         ::testing::Values(DiagonalRule::none, DiagonalRule::add));

TEST(ReconstructedKernel, WithoutARuleIsTheProduct) {
  const Problem problem = some_problem();
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    const Matrix A = random_matrix(view.block.rows(), problem.n_samples(), 7);
    const Matrix H = carrier(view, A);
    const Matrix expected = H.transpose() * view.block * H;
    const Matrix K = reconstructed_kernel(view, A, DiagonalRule::none, {});
    EXPECT_LT((K - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(ReconstructedKernel, AddSettlesTheDiagonalAndScalesDownOnlyWhatIsTooLong) {
  const Problem problem = some_problem();
  const ObservedKernel& view = problem.view(0);
  const Matrix A = random_matrix(view.block.rows(), problem.n_samples(), 8);
  const Matrix plain = reconstructed_kernel(view, A, DiagonalRule::none, {});
  Vector diagonal = plain.diagonal();
  const Indices& missing = problem.missing(0);
  ASSERT_GE(missing.size(), 2u);
  const Index longer = missing[0], shorter = missing[1];
  diagonal(longer) = 0.25 * plain(longer, longer);  // weights explain four times too much
  diagonal(shorter) = 3 * plain(shorter, shorter);  // two thirds are left unexplained
  const Matrix K = reconstructed_kernel(view, A, DiagonalRule::add, diagonal);
  for (const Index t : missing) EXPECT_NEAR(K(t, t), diagonal(t), 1e-12 * diagonal(t));
  for (const Index i : view.rows) {
    EXPECT_NEAR(K(i, longer), 0.5 * plain(i, longer), 1e-12 * plain.norm());
    EXPECT_EQ(K(i, shorter), plain(i, shorter));
  }
  EXPECT_NEAR(K(shorter, longer), 0.5 * plain(shorter, longer), 1e-12 * plain.norm());
}

}  // namespace
}  // namespace mkc
