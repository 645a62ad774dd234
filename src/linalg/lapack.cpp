// The one file that talks to BLAS and LAPACK (Fortran interface, 32-bit integers).
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "mkc/linalg/blas.hpp"
#include "mkc/linalg/cholesky.hpp"
#include "mkc/linalg/eigh.hpp"

extern "C" {
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
            const double*, const int*, const double*, const int*, const double*, double*,
            const int*, std::size_t, std::size_t);
void dsymm_(const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, const double*, const int*, const double*, double*, const int*, std::size_t,
            std::size_t);
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, const double*, double*, const int*, std::size_t, std::size_t);
void dpotrf_(const char*, const int*, double*, const int*, int*, std::size_t);
void dpotrs_(const char*, const int*, const int*, const double*, const int*, double*, const int*,
             int*, std::size_t);
void dtrmm_(const char*, const char*, const char*, const char*, const int*, const int*,
            const double*, const double*, const int*, double*, const int*, std::size_t, std::size_t,
            std::size_t, std::size_t);
void dtrtri_(const char*, const char*, const int*, double*, const int*, int*, std::size_t,
             std::size_t);
void dlauum_(const char*, const int*, double*, const int*, int*, std::size_t);
void dsyevd_(const char*, const char*, const int*, double*, const int*, double*, double*,
             const int*, int*, const int*, int*, std::size_t, std::size_t);
void dsyevr_(const char*, const char*, const char*, const int*, double*, const int*, const double*,
             const double*, const int*, const int*, const double*, int*, double*, double*,
             const int*, int*, double*, const int*, int*, const int*, int*, std::size_t,
             std::size_t, std::size_t);
void openblas_set_num_threads(int) __attribute__((weak));
int openblas_get_parallel() __attribute__((weak));
}

namespace mkc::linalg {

namespace {

// OpenBLAS changes bits with its thread count, so it works on one thread, whichever of its flavours
// the system loads. Its serial flavour is not safe to call from several threads: then calls take
// turns (docs/decisions/0002-blas-on-one-thread.md). true = calls must take turns.
const bool take_turns = [] {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  return openblas_get_parallel != nullptr && openblas_get_parallel() == 0;
}();
std::mutex one_call;

std::unique_lock<std::mutex> turn() {
  return take_turns ? std::unique_lock(one_call) : std::unique_lock<std::mutex>();
}

int blas_int(Index n) {
  if (n > std::numeric_limits<int>::max())
    throw std::length_error("matrix dimension above 2^31 - 1");
  return static_cast<int>(n);
}

int leading(const MatrixRef& A) {
  return std::max(1, blas_int(A.outerStride()));
}

void check(int info, const char* routine) {
  if (info != 0)
    throw std::runtime_error(std::string(routine) + " failed with info " + std::to_string(info));
}

void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(what);
}

// C <- op(X) op(X)'; op = 'N' gives X X', 'T' gives X' X.
Matrix syrk(const MatrixRef& X, char op) {
  const Index size = op == 'N' ? X.rows() : X.cols();
  Matrix C = Matrix::Zero(size, size);
  if (size == 0 || X.size() == 0) return C;
  const int n = blas_int(size), k = blas_int(op == 'N' ? X.cols() : X.rows()), ldx = leading(X);
  const double one = 1, zero = 0;
  const auto my_turn = turn();
  dsyrk_("L", &op, &n, &k, &one, X.data(), &ldx, &zero, C.data(), &n, 1, 1);
  mirror_lower(C);
  return C;
}

// Eigenpairs selected by index (range 'I') or by value (range 'V') with dsyevr.
Eigh syevr(const MatrixRef& A, char range, double low, double high, int first, int last) {
  const int n = blas_int(A.rows());
  Matrix work_matrix = A;
  Vector values(A.rows());
  const int at_most = range == 'I' ? last - first + 1 : n;
  Matrix vectors(A.rows(), at_most);
  std::vector<int> support(2 * static_cast<std::size_t>(std::max(1, at_most)));
  const double tolerance = 0;
  int found = 0, info = 0, lwork = -1, liwork = -1, liwork_size = 0;
  double lwork_size = 0;
  const auto call = [&](double* work, int* iwork) {
    const auto my_turn = turn();
    dsyevr_("V", &range, "L", &n, work_matrix.data(), &n, &low, &high, &first, &last, &tolerance,
            &found, values.data(), vectors.data(), &n, support.data(), work, &lwork, iwork, &liwork,
            &info, 1, 1, 1);
    check(info, "dsyevr");
  };
  call(&lwork_size, &liwork_size);
  lwork = static_cast<int>(lwork_size);
  liwork = liwork_size;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  call(work.data(), iwork.data());
  return {values.head(found), vectors.leftCols(found)};
}

// dsyevd: divide and conquer, the fastest way to all eigenpairs. A is overwritten.
Vector syevd(Matrix& A, char job) {
  const int n = blas_int(A.rows());
  Vector values(A.rows());
  int info = 0, lwork = -1, liwork = -1, liwork_size = 0;
  double lwork_size = 0;
  const auto my_turn = turn();
  dsyevd_(&job, "L", &n, A.data(), &n, values.data(), &lwork_size, &lwork, &liwork_size, &liwork,
          &info, 1, 1);
  check(info, "dsyevd");
  lwork = static_cast<int>(lwork_size);
  liwork = liwork_size;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  dsyevd_(&job, "L", &n, A.data(), &n, values.data(), work.data(), &lwork, iwork.data(), &liwork,
          &info, 1, 1);
  check(info, "dsyevd");
  return values;
}

}  // namespace

void gemm(double alpha, const MatrixRef& A, Op op_a, const MatrixRef& B, Op op_b, double beta,
          MutableMatrixRef C) {
  const bool ta = op_a == Op::transpose, tb = op_b == Op::transpose;
  const Index rows = ta ? A.cols() : A.rows(), inner = ta ? A.rows() : A.cols();
  const Index cols = tb ? B.rows() : B.cols();
  require(inner == (tb ? B.cols() : B.rows()), "gemm: inner dimensions differ");
  require(C.rows() == rows && C.cols() == cols, "gemm: C has the wrong size");
  if (rows == 0 || cols == 0) return;
  if (inner == 0) {
    if (beta == 0)
      C.setZero();
    else
      C *= beta;
    return;
  }
  const int m = blas_int(rows), n = blas_int(cols), k = blas_int(inner);
  const int lda = leading(A), ldb = leading(B), ldc = std::max(1, blas_int(C.outerStride()));
  const auto my_turn = turn();
  dgemm_(ta ? "T" : "N", tb ? "T" : "N", &m, &n, &k, &alpha, A.data(), &lda, B.data(), &ldb, &beta,
         C.data(), &ldc, 1, 1);
}

void symm(double alpha, const MatrixRef& A, const MatrixRef& B, double beta, MutableMatrixRef C) {
  require(A.rows() == A.cols() && A.cols() == B.rows(), "symm: dimensions differ");
  require(C.rows() == A.rows() && C.cols() == B.cols(), "symm: C has the wrong size");
  if (C.size() == 0) return;
  const int m = blas_int(C.rows()), n = blas_int(C.cols());
  const int lda = leading(A), ldb = leading(B), ldc = std::max(1, blas_int(C.outerStride()));
  const auto my_turn = turn();
  dsymm_("L", "L", &m, &n, &alpha, A.data(), &lda, B.data(), &ldb, &beta, C.data(), &ldc, 1, 1);
}

Matrix multiply(const MatrixRef& A, const MatrixRef& B) {
  Matrix C(A.rows(), B.cols());
  gemm(1, A, Op::none, B, Op::none, 0, C);
  return C;
}

Matrix multiply_tn(const MatrixRef& A, const MatrixRef& B) {
  Matrix C(A.cols(), B.cols());
  gemm(1, A, Op::transpose, B, Op::none, 0, C);
  return C;
}

Matrix multiply_nt(const MatrixRef& A, const MatrixRef& B) {
  Matrix C(A.rows(), B.rows());
  gemm(1, A, Op::none, B, Op::transpose, 0, C);
  return C;
}

Matrix gram_of_rows(const MatrixRef& X) {
  return syrk(X, 'N');
}
Matrix gram_of_columns(const MatrixRef& X) {
  return syrk(X, 'T');
}

void mirror_lower(MutableMatrixRef A) {
  constexpr Index tile = 64;
  const Index n = A.rows();
  for (Index j = 0; j < n; j += tile)
    for (Index i = j; i < n; i += tile)
      for (Index c = j; c < std::min(j + tile, n); ++c)
        for (Index r = std::max(i, c + 1); r < std::min(i + tile, n); ++r) A(c, r) = A(r, c);
}

Eigh eigh(const MatrixRef& A) {
  require(A.rows() == A.cols(), "eigh: matrix is not square");
  Matrix vectors = A;
  if (A.rows() == 0) return {Vector(), vectors};
  Vector values = syevd(vectors, 'V');
  return {std::move(values), std::move(vectors)};
}

Vector eigenvalues(const MatrixRef& A) {
  require(A.rows() == A.cols(), "eigenvalues: matrix is not square");
  if (A.rows() == 0) return Vector();
  Matrix copy = A;
  return syevd(copy, 'N');
}

Eigh eigh_largest(const MatrixRef& A, Index k) {
  require(A.rows() == A.cols(), "eigh_largest: matrix is not square");
  require(k >= 0 && k <= A.rows(), "eigh_largest: k outside 0..n");
  if (k == 0) return {Vector(), Matrix(A.rows(), 0)};
  return syevr(A, 'I', 0, 0, blas_int(A.rows() - k + 1), blas_int(A.rows()));
}

Eigh eigh_between(const MatrixRef& A, double low, double high) {
  require(A.rows() == A.cols(), "eigh_between: matrix is not square");
  if (A.rows() == 0 || low >= high) return {Vector(), Matrix(A.rows(), 0)};
  return syevr(A, 'V', low, high, 0, 0);
}

EighWorkspace::EighWorkspace(Index n) : matrix_(n, n), values_(n), support_(2 * n + 1) {
  // dsyevd asks for 1 + 6n + 2n^2 numbers. dsyevr asks for about 70n of them besides the n^2 of its
  // vectors, so both fit into one array.
  const int dimension = std::max(1, blas_int(n)), query = -1;
  const double none = 0;
  const int no_index = 0;
  double numbers = 0, range_numbers = 0;
  int integers = 0, range_integers = 0, found = 0, info = 0;
  const auto my_turn = turn();
  dsyevd_("V", "L", &dimension, &numbers, &dimension, &numbers, &numbers, &query, &integers, &query,
          &info, 1, 1);
  check(info, "dsyevd");
  const double high = 1;
  dsyevr_("V", "V", "L", &dimension, &range_numbers, &dimension, &none, &high, &no_index, &no_index,
          &none, &found, &range_numbers, &range_numbers, &dimension, support_.data(),
          &range_numbers, &query, &range_integers, &query, &info, 1, 1, 1);
  check(info, "dsyevr");
  work_.resize(static_cast<std::size_t>(
      std::max(numbers, range_numbers + static_cast<double>(n) * static_cast<double>(n))));
  integer_work_.resize(static_cast<std::size_t>(std::max(integers, range_integers)));
}

void EighWorkspace::all(const MatrixRef& A) {
  require(A.rows() == size() && A.cols() == size(), "EighWorkspace: matrix has the wrong size");
  matrix_ = A;
  vectors_in_work_ = false;
  found_ = size();
  if (size() == 0) return;
  const int n = blas_int(size()), lwork = blas_int(static_cast<Index>(work_.size()));
  const int liwork = blas_int(static_cast<Index>(integer_work_.size()));
  int info = 0;
  const auto my_turn = turn();
  dsyevd_("V", "L", &n, matrix_.data(), &n, values_.data(), work_.data(), &lwork,
          integer_work_.data(), &liwork, &info, 1, 1);
  check(info, "dsyevd");
}

void EighWorkspace::between(const MatrixRef& A, double low, double high) {
  require(A.rows() == size() && A.cols() == size(), "EighWorkspace: matrix has the wrong size");
  found_ = 0;
  if (size() == 0 || low >= high) return;
  matrix_ = A;
  vectors_in_work_ = true;
  const Index room = size() * size();  // of the vectors
  const int n = blas_int(size()), no_index = 0;
  const int lwork = blas_int(static_cast<Index>(work_.size()) - room);
  const int liwork = blas_int(static_cast<Index>(integer_work_.size()));
  const double tolerance = 0;
  int found = 0, info = 0;
  const auto my_turn = turn();
  dsyevr_("V", "V", "L", &n, matrix_.data(), &n, &low, &high, &no_index, &no_index, &tolerance,
          &found, values_.data(), work_.data(), &n, support_.data(), work_.data() + room, &lwork,
          integer_work_.data(), &liwork, &info, 1, 1, 1);
  check(info, "dsyevr");
  found_ = found;
}

void EighWorkspace::add_absolute(Index first, Index count, double beta, MutableMatrixRef C) {
  require(first >= 0 && count >= 0 && first + count <= found_, "EighWorkspace: no such pairs");
  require(C.rows() == size() && C.cols() == size(), "EighWorkspace: C has the wrong size");
  if (size() == 0) return;
  // sum_i |value_i| v_i v_i' = B B' with b_i = sqrt(|value_i|) v_i
  double* vectors = vectors_in_work_ ? work_.data() : matrix_.data();
  Eigen::Map<Matrix> B(vectors + first * size(), size(), count);
  for (Index i = 0; i < count; ++i) B.col(i) *= std::sqrt(std::abs(values_(first + i)));
  const int n = blas_int(size()), k = blas_int(count);
  const int ldc = std::max(1, blas_int(C.outerStride()));
  const double one = 1;
  const auto my_turn = turn();
  dsyrk_("L", "N", &n, &k, &one, B.data(), &n, &beta, C.data(), &ldc, 1, 1);
  mirror_lower(C);
}

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

// A^-1 from its factor L, in place.
void invert_factored(Matrix& L) {
  const int n = blas_int(L.rows());
  {
    const auto my_turn = turn();
    invert_triangle(L.data(), n, n);
    square_triangle(L.data(), n, n);
  }
  mirror_lower(L);
}

}  // namespace

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
  if (X.size() > 0) invert_factored(X);
  return X;
}

bool invert_positive_definite(Matrix& A) {
  if (!factor_in_place(A)) return false;
  if (A.size() > 0) invert_factored(A);
  return true;
}

double Cholesky::log_determinant() const {
  return 2 * L_.diagonal().array().log().sum();
}

}  // namespace mkc::linalg
