#include "methods/shared/relations.hpp"

#include "numeric/linalg/blas.hpp"
#include "support/random_matrices.hpp"

namespace mkc {
namespace {

Matrix relations(const MatrixRef& gram) {
  Matrix S(gram.rows(), gram.rows());
  for (Index m = 0; m < gram.rows(); ++m) S.row(m) = relations_of_view(gram, m).transpose();
  return S;
}

TEST(Relations, RowsLieOnTheSimplexWithAZeroDiagonal) {
  const Matrix S = relations(test::random_psd(6, 9, 1));
  for (Index m = 0; m < 6; ++m) {
    EXPECT_EQ(S(m, m), 0);
    EXPECT_GE(S.row(m).minCoeff(), 0);
    EXPECT_NEAR(S.row(m).sum(), 1, 1e-12);
  }
}

TEST(Relations, FindTheCombinationAViewWasMadeFrom) {
  Matrix X = test::random_matrix(30, 4, 2);
  X.col(1) = 0.3 * X.col(0) + 0.7 * X.col(3);
  const Vector s = relations_of_view(linalg::gram_of_columns(X), 1);
  EXPECT_LT((s - Vector{{0.3, 0, 0, 0.7}}).norm(), 1e-10);
}

TEST(Relations, NoPointOfTheSimplexIsCloser) {
  const Matrix X = test::random_matrix(12, 4, 3);
  const Vector s = relations_of_view(linalg::gram_of_columns(X), 2);
  const double best = (X.col(2) - X * s).squaredNorm();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Vector other = test::random_matrix(4, 1, 100 + seed).cwiseAbs();
    other(2) = 0;
    other /= other.sum();
    EXPECT_LE(best, (X.col(2) - X * other).squaredNorm() + 1e-12);
  }
}

TEST(Relations, OfTwoViewsAndOfOne) {
  EXPECT_EQ(relations(test::random_psd(2, 3, 4)), (Matrix{{0, 1}, {1, 0}}));
  EXPECT_EQ(relations(test::random_psd(1, 3, 5)), Matrix::Zero(1, 1));
  EXPECT_EQ(equal_relations(1), Matrix::Zero(1, 1));
  EXPECT_EQ(equal_relations(3)(0, 1), 0.5);
  EXPECT_EQ(equal_relations(3)(1, 1), 0);
}

TEST(Relations, GramOfMatricesHoldsTheirInnerProducts) {
  const std::vector<Matrix> X = {test::random_matrix(5, 4, 6), test::random_matrix(5, 4, 7)};
  const Matrix G = gram_of_matrices(X);
  EXPECT_NEAR(G(0, 1), (X[0].transpose() * X[1]).trace(), 1e-13);
  EXPECT_NEAR(G(1, 1), X[1].squaredNorm(), 1e-13);
  EXPECT_EQ(G, G.transpose());
}

}  // namespace
}  // namespace mkc
