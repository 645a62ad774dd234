#include "methods/cvkt.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "numeric/blocks.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"
#include "support/complete_with.hpp"
#include "support/finite_differences.hpp"
#include "support/random_matrices.hpp"
#include "support/random_problem.hpp"

namespace mkc {
namespace {

// tr(U'BU) / ||U'(C + ridge I)U||_F with C = Psi'Psi, B = Psi'K Psi.
double slow_alignment(const Matrix& Psi, const Matrix& K, const Matrix& U, double ridge) {
  const Matrix C = Psi.transpose() * Psi + ridge * Matrix::Identity(Psi.cols(), Psi.cols());
  return (U.transpose() * Psi.transpose() * K * Psi * U).trace() / (U.transpose() * C * U).norm();
}

// (C + ridge I)^-1 B (C + ridge I)^-1
Matrix closed_form(const Matrix& Psi, const MatrixRef& K, double ridge) {
  const Matrix C = Psi.transpose() * Psi + ridge * Matrix::Identity(Psi.cols(), Psi.cols());
  const Matrix inverse = linalg::Cholesky::factor(C)->inverse();
  return inverse * Psi.transpose() * K * Psi * inverse;
}

// U with U U' the given PSD matrix.
Matrix root(const Matrix& UU) {
  const linalg::Eigh e = linalg::eigh(UU);
  const Vector roots = e.values.cwiseMax(0).cwiseSqrt();
  return e.vectors * roots.asDiagonal();
}

TEST(Cvkt, ClosedFormIsTheLargestAlignment) {
  const Matrix Psi = test::random_matrix(12, 4, 5), K = test::random_psd(12, 6, 6);
  for (const double ridge : {0.0, 0.1}) {
    const Matrix U = root(closed_form(Psi, K, ridge));
    const auto f = [&](const Matrix& V) { return slow_alignment(Psi, K, V, ridge); };
    const double top = f(U);
    EXPECT_LT(test::finite_difference_gradient(f, U).norm() * U.norm(), 1e-6 * top);
    for (std::uint64_t k = 0; k < 50; ++k) {
      const double step = k % 2 == 0 ? 1e-2 : 1;
      EXPECT_LE(f(U + step * U.norm() * test::random_matrix(4, 4, 100 + k)), top + 1e-12);
      EXPECT_LE(f(test::random_matrix(4, 3, 200 + k)), top + 1e-12);
    }
  }
}

TEST(Cvkt, PredictsWithThatMetric) {
  // two complete views with features F and G, a third to be completed
  const Matrix F = test::random_matrix(15, 3, 7), G = test::random_matrix(15, 2, 8);
  const Matrix K = test::random_psd(15, 5, 9) + Matrix::Ones(15, 15);
  Mask observed = Mask::Constant(15, 3, true);
  for (const Index i : {2, 5, 11}) observed(i, 2) = false;
  observed(7, 0) = false;  // zero features, and those of the other view twice as long
  const Matrix KF = F * F.transpose(), KG = G * G.transpose();
  for (const CvktFill fill : {CvktFill::zero, CvktFill::scaled}) {
    const Problem problem({KF, KG, K}, observed);
    Matrix Psi(15, 6);
    Psi << F / std::sqrt(2 * problem.view(0).block.diagonal().mean()),
        G / std::sqrt(2 * KG.diagonal().mean()), Vector::Constant(15, std::sqrt(10.0));
    Psi.row(7).head(3).setZero();
    if (fill == CvktFill::scaled) Psi.row(7).segment(3, 2) *= std::sqrt(2.0);
    const Indices& I = problem.view(2).rows;
    const Matrix UU = closed_form(Psi(I, Eigen::all), problem.view(2).block, 0.05);
    Matrix expected = Psi * UU * Psi.transpose();
    expected *= problem.view(2).block.mean() / submatrix(expected, I, I).mean();
    RunOptions run;
    run.fitted = true;
    const Completion c =
        test::complete_with(cvkt_options(), problem, {.ridge = 0.05, .fill = fill}, run);
    EXPECT_LT((c.kernels[2] - expected).norm(), 1e-9 * expected.norm());
  }
}

TEST(Cvkt, ReportsTheRidgeItChose) {
  const Problem problem =
      test::random_problem(10, {.n_samples = 18, .n_views = 3, .missing = 0.3}).problem();
  const Completion c = test::complete_with(cvkt_options(), problem);
  ASSERT_EQ(c.info.notices.size(), 1u);
  EXPECT_NE(c.info.notices[0].find("ridge"), std::string::npos);
  for (const auto& [name, value] : c.info.parameters)
    EXPECT_TRUE(name != "ridge" || value != "auto");
}

}  // namespace
}  // namespace mkc
