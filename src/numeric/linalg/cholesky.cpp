#include "numeric/linalg/cholesky.hpp"

#include "numeric/linalg/lapack.hpp"
#include "numeric/linalg/tiled.hpp"

namespace mkc::linalg {

namespace {

// false where A is not positive definite.
bool factor_in_place(Matrix& A) {
  require(A.rows() == A.cols(), "Cholesky: matrix is not square");
  if (A.rows() == 0) return true;
  const int n = blas_int(A.rows());
  int info = 0;
  const auto my_turn = turn();
  dpotrf_("L", &n, A.data(), &n, &info, 1);
  if (info < 0) check(info, "dpotrf");
  return info == 0;
}

// dpotri by halves. OpenBLAS has matrix-vector products below its block size, in which a matrix of
// 120 rows spends most of its inverse; here all but the last 32 rows are matrix-matrix products.
constexpr int smallest_half = 32;

// L <- L^-1 of a lower triangle, [A 0; B C]^-1 = [A^-1 0; -C^-1 B A^-1 C^-1].
void invert_triangle(double* L, int n, int ld) {
  if (n <= smallest_half) {
    int info = 0;
    dtrtri_("L", "N", &n, L, &ld, &info, 1, 1);
    return check(info, "dtrtri");
  }
  const int upper = n / 2, lower = n - upper;
  double *B = L + upper, *C = L + static_cast<std::ptrdiff_t>(upper) * ld + upper;
  invert_triangle(L, upper, ld);
  invert_triangle(C, lower, ld);
  const double plus = 1, minus = -1;
  dtrmm_("R", "L", "N", "N", &lower, &upper, &minus, L, &ld, B, &ld, 1, 1, 1, 1);
  dtrmm_("L", "L", "N", "N", &lower, &upper, &plus, C, &ld, B, &ld, 1, 1, 1, 1);
}

// The lower triangle of L' L into that of L, [A'A + B'B .; C'B C'C].
void square_triangle(double* L, int n, int ld) {
  if (n <= smallest_half) {
    int info = 0;
    dlauum_("L", &n, L, &ld, &info, 1);
    return check(info, "dlauum");
  }
  const int upper = n / 2, lower = n - upper;
  double *B = L + upper, *C = L + static_cast<std::ptrdiff_t>(upper) * ld + upper;
  const double one = 1;
  square_triangle(L, upper, ld);
  dsyrk_("L", "T", &upper, &lower, &one, B, &ld, &one, L, &ld, 1, 1);
  dtrmm_("L", "L", "T", "N", &lower, &upper, &one, C, &ld, B, &ld, 1, 1, 1, 1);
  square_triangle(C, lower, ld);
}

}  // namespace

void invert_factored(Matrix& L) {
  const int n = blas_int(L.rows());
  if (n == 0) return;
  {
    const auto my_turn = turn();
    invert_triangle(L.data(), n, n);
    square_triangle(L.data(), n, n);
  }
  mirror_lower(L);
}

std::optional<Cholesky> Cholesky::factor(Matrix A) {
  if (!factor_in_place(A)) return std::nullopt;
  return Cholesky(std::move(A));
}

Matrix Cholesky::solve(const MatrixRef& B) const {
  require(B.rows() == L_.rows(), "Cholesky::solve: sizes differ");
  Matrix X = B;
  if (X.size() == 0) return X;
  const int n = blas_int(L_.rows()), m = blas_int(X.cols());
  int info = 0;
  const auto my_turn = turn();
  dpotrs_("L", &n, &m, L_.data(), &n, X.data(), &n, &info, 1);
  check(info, "dpotrs");
  return X;
}

Matrix Cholesky::inverse() const {
  Matrix X = L_;
  invert_factored(X);
  return X;
}

Matrix Cholesky::whitening() const {
  Matrix X = L_.triangularView<Eigen::Lower>();
  if (X.size() > 0) {
    const int n = blas_int(X.rows());
    const auto my_turn = turn();
    invert_triangle(X.data(), n, n);
  }
  return X.transpose();
}

double Cholesky::smallest_share() const {
  if (L_.size() == 0) return 1;
  const double share = L_.diagonal().minCoeff() / L_.diagonal().maxCoeff();
  return share * share;
}

bool invert_positive_definite(Matrix& A) {
  if (!factor_in_place(A)) return false;
  invert_factored(A);
  return true;
}

double Cholesky::log_determinant() const { return 2 * L_.diagonal().array().log().sum(); }

}  // namespace mkc::linalg
