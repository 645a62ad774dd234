#include "report/leading_eigen.hpp"

#include "base/random.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::report {

namespace {

constexpr Index extra_columns = 16;
constexpr int rounds = 4;
constexpr double rank_tolerance = 1e-13;  // of a squared length, relative to the largest

// At most k values, descending, without those that are rounding errors.
linalg::Eigh leading(const linalg::Eigh& ascending, Index k) {
  const Index n = ascending.values.size();
  const double floor = n > 0 ? 1e-12 * std::max(0.0, ascending.values(n - 1)) : 0;
  Index count = 0;
  while (count < std::min(k, n) && ascending.values(n - 1 - count) > floor) ++count;
  return {ascending.values.tail(count).reverse(),
          ascending.vectors.rightCols(count).rowwise().reverse()};
}

linalg::Eigh dense(const Operator& A, Index n, Index k) {
  Matrix K(n, n);
  A(Matrix::Identity(n, n), K);
  return leading(linalg::eigh(K), k);
}

// An orthonormal basis of the columns of X: X V L^-1/2 with X'X = V L V'.
Matrix orthonormal(const Matrix& X) {
  const linalg::Eigh gram = linalg::eigh(linalg::gram_of_columns(X));
  const Index n = gram.values.size();
  Index kept = 0;
  while (kept < n && gram.values(n - 1 - kept) > rank_tolerance * gram.values(n - 1)) ++kept;
  const Vector scales = gram.values.tail(kept).cwiseSqrt().cwiseInverse();
  const Matrix basis = gram.vectors.rightCols(kept) * scales.asDiagonal();
  return linalg::multiply(X, basis);
}

}  // namespace

linalg::Eigh leading_eigenpairs(const Operator& A, Index k, const Strings& samples) {
  const auto n = static_cast<Index>(samples.size());
  const Index columns = k + extra_columns;
  if (n <= 3 * columns) return dense(A, n, k);
  Matrix X(n, columns);
  for (Index i = 0; i < n; ++i) {
    Random random(0, samples[at(i)]);
    for (Index j = 0; j < columns; ++j) X(i, j) = random.normal();
  }
  Matrix Y;
  for (int round = 0; round < rounds; ++round) {
    X = orthonormal(X);
    if (X.cols() == 0) return {Vector(0), Matrix(n, 0)};
    Y.resize(n, X.cols());
    A(X, Y);
    if (round + 1 < rounds) std::swap(X, Y);
  }
  // Rayleigh-Ritz: X'AX = Q L Q', vectors X Q.
  linalg::Eigh small = linalg::eigh(linalg::multiply_tn(X, Y));
  small.vectors = linalg::multiply(X, small.vectors);
  return leading(small, k);
}

Operator block_operator(const Matrix& K, const Eigen::Array<bool, Eigen::Dynamic, 1>& kept) {
  return [&K, kept = kept.cast<double>().matrix().eval()](const MatrixRef& X, MutableMatrixRef Y) {
    linalg::symm(1, K, kept.asDiagonal() * X, 0, Y);
    Y = kept.asDiagonal() * Y;
  };
}

Operator centred_operator(const Matrix& K) {
  return [&K](const MatrixRef& X, MutableMatrixRef Y) {
    const Matrix centred = X.rowwise() - X.colwise().mean();
    linalg::symm(1, K, centred, 0, Y);
    Y.rowwise() -= Y.colwise().mean().eval();
  };
}

}  // namespace mkc::report
