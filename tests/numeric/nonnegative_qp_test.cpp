#include "numeric/solvers/nonnegative_qp.hpp"

#include "support/random_matrices.hpp"

namespace mkc::solvers {
namespace {

using test::random_matrix;
using test::random_psd;

// x >= 0, the gradient g = Hx - b is zero on the support and not negative elsewhere.
void expect_minimum(const Matrix& H, const Vector& b, const Vector& x) {
  const Vector g = H * x - b;
  const double scale = b.cwiseAbs().maxCoeff();
  EXPECT_GE(x.minCoeff(), 0);
  EXPECT_TRUE((g.array() >= -1e-9 * scale).all());
  EXPECT_TRUE((x.array() == 0 || g.array().abs() <= 1e-9 * scale).all());
}

TEST(NonnegativeQp, RandomProblemsAreSolved) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto n = static_cast<Index>(1 + seed % 9);
    const Matrix H = random_psd(n, n, seed) + 1e-3 * Matrix::Identity(n, n);
    const Vector b = random_matrix(n, 1, seed + 100);
    expect_minimum(H, b, nonnegative_qp(H, b));
  }
}

TEST(NonnegativeQp, IdentityIsTheProjection) {
  const Vector b = random_matrix(7, 1, 3);
  EXPECT_TRUE(nonnegative_qp(Matrix::Identity(7, 7), b).isApprox(b.cwiseMax(0), 1e-14));
  EXPECT_EQ(nonnegative_qp(Matrix::Identity(2, 2), Vector{{-1, -2}}), Vector::Zero(2));
  EXPECT_EQ(nonnegative_qp(Matrix::Identity(2, 2), Vector::Zero(2)), Vector::Zero(2));
}

// The ridge decides between two equal columns: they share.
TEST(NonnegativeQp, EqualColumnsShare) {
  Matrix H = Matrix::Ones(3, 3) + 1e-6 * Matrix::Identity(3, 3);
  H(2, 0) = H(2, 1) = H(0, 2) = H(1, 2) = 0.5;
  const Vector x = nonnegative_qp(H, Vector{{1, 1, 0.2}});
  EXPECT_NEAR(x(0), x(1), 1e-9);
  EXPECT_EQ(x(2), 0);
  expect_minimum(H, Vector{{1, 1, 0.2}}, x);
}

}  // namespace
}  // namespace mkc::solvers
