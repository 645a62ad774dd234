#pragma once

#include <vector>

#include "mkc/base/types.hpp"

namespace mkc::linalg {

/// A = V diag(values) V', values ascending.
struct Eigh {
  Vector values;   // (k)
  Matrix vectors;  // (n, k)
};

/// All eigenpairs of a symmetric matrix; the lower triangle is read.
Eigh eigh(const MatrixRef& A);

/// The k largest eigenpairs, values ascending.
Eigh eigh_largest(const MatrixRef& A, Index k);

/// Eigenvalues alone, ascending.
Vector eigenvalues(const MatrixRef& A);

/// Eigenpairs of one (n, n) matrix after another: all memory is taken by the constructor.
class EighWorkspace {
 public:
  explicit EighWorkspace(Index n);

  /// Finds all eigenpairs of a symmetric matrix; the lower triangle is read.
  void all(const MatrixRef& A);

  /// Finds the eigenpairs with low < value <= high.
  void between(const MatrixRef& A, double low, double high);

  Index size() const { return matrix_.rows(); }
  Index found() const { return found_; }
  auto values() const { return values_.head(found_); }  // (found), ascending

  /// C <- beta C + sum_i |value_i| v_i v_i' over the found pairs first, ..., first + count - 1;
  /// C is exactly symmetric afterwards. Can be called once per decomposition.
  void add_absolute(Index first, Index count, double beta, MutableMatrixRef C);

 private:
  Matrix matrix_;  // (n, n) the matrix, overwritten; by its vectors where all are asked for
  Vector values_;  // (n)
  Index found_ = 0;
  bool vectors_in_work_ = false;  // they begin at work_[0], else at matrix_(0, 0)
  std::vector<double> work_;
  std::vector<int> integer_work_, support_;
};

}  // namespace mkc::linalg
