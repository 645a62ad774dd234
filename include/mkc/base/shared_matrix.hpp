#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "mkc/base/types.hpp"

namespace mkc {

/// A matrix that is read and never changed. Its numbers are its own, or stand in the memory of
/// somebody else, who is kept alive; copies look at the same numbers, and cost nothing.
///
/// It is an Eigen expression like any other and goes wherever a MatrixRef is wanted. Numbers that
/// can be changed are a copy, which has to be asked for: Matrix(shared). `const Matrix& K = shared`
/// would copy in silence; it does not compile, `const SharedMatrix& K` does.
class SharedMatrix : public Eigen::Map<const Matrix, Eigen::AlignedMax> {
  using View = Eigen::Map<const Matrix, Eigen::AlignedMax>;

 public:
  SharedMatrix() : View(nullptr, 0, 0) {}

  /// Owns the numbers: they are moved in.
  SharedMatrix(Matrix values)  // NOLINT(google-explicit-constructor): a matrix is one of these
      : SharedMatrix(std::make_shared<const Matrix>(std::move(values))) {}
  template <class Expression>
  SharedMatrix(const Eigen::MatrixBase<Expression>& values)  // NOLINT: as Matrix is made of one
      : SharedMatrix(Matrix(values)) {}

  /// Looks at rows x cols numbers, column by column, that stay as they are while `keeper` lives.
  /// They are copied where they are not aligned as Eigen aligns its own: the order of its sums, and
  /// so the last bits of results, must not depend on where in memory numbers happen to stand.
  static SharedMatrix looking_at(const double* data, Index rows, Index cols,
                                 std::shared_ptr<const void> keeper) {
    if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0)
      return Matrix(Eigen::Map<const Matrix>(data, rows, cols));
    return {data, rows, cols, std::move(keeper)};
  }

  SharedMatrix(const SharedMatrix&) = default;
  SharedMatrix(SharedMatrix&& other) noexcept : SharedMatrix() { exchange(other); }
  ~SharedMatrix() = default;
  SharedMatrix& operator=(SharedMatrix other) noexcept {
    exchange(other);
    return *this;
  }

  operator const Matrix&() const = delete;  // NOLINT(google-explicit-constructor)

 private:
  static constexpr std::uintptr_t alignment = EIGEN_MAX_ALIGN_BYTES > 0 ? EIGEN_MAX_ALIGN_BYTES : 1;

  explicit SharedMatrix(const std::shared_ptr<const Matrix>& own)
      : SharedMatrix(own->data(), own->rows(), own->cols(), own) {}
  SharedMatrix(const double* data, Index rows, Index cols, std::shared_ptr<const void> keeper)
      : View(data, rows, cols), keeper_(std::move(keeper)) {}

  // Eigen's own way to let a Map look elsewhere is to make it anew in its place.
  void look_at(const double* data, Index rows, Index cols) {
    new (static_cast<View*>(this)) View(data, rows, cols);
  }

  void exchange(SharedMatrix& other) noexcept {
    const View mine = *this;
    look_at(other.data(), other.rows(), other.cols());
    other.look_at(mine.data(), mine.rows(), mine.cols());
    keeper_.swap(other.keeper_);
  }

  std::shared_ptr<const void> keeper_;
};

}  // namespace mkc
