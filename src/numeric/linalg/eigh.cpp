#include "numeric/linalg/eigh.hpp"

#include <cmath>
#include <vector>

#include "numeric/linalg/lapack.hpp"

namespace mkc::linalg {

namespace {

// Eigenpairs number first to last, counted from 1, with dsyevr.
Eigh syevr(const MatrixRef& A, int first, int last) {
  const int n = blas_int(A.rows()), most = last - first + 1;
  Matrix work_matrix = A;
  Vector values(A.rows());
  Matrix vectors(A.rows(), most);
  std::vector<int> support(2 * static_cast<std::size_t>(most));
  const double tolerance = 0, no_value = 0;
  int found = 0, info = 0, lwork = -1, liwork = -1, liwork_size = 0;
  double lwork_size = 0;
  const auto call = [&](double* work, int* iwork) {
    const auto my_turn = turn();
    dsyevr_("V", "I", "L", &n, work_matrix.data(), &n, &no_value, &no_value, &first, &last,
            &tolerance, &found, values.data(), vectors.data(), &n, support.data(), work, &lwork,
            iwork, &liwork, &info, 1, 1, 1);
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
  return syevr(A, blas_int(A.rows() - k + 1), blas_int(A.rows()));
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

}  // namespace mkc::linalg
