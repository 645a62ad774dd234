#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "mkc/base/types.hpp"

namespace mkc {

/// A matrix that is read and never changed. It owns its numbers, or refers to memory whose owner it
/// keeps alive. Copies share the numbers and cost nothing.
///
/// It is an Eigen expression and can be passed as a MatrixRef. A copy that can be changed is
/// explicit: Matrix(shared). `const Matrix& K = shared` would copy silently, so it does not
/// compile; `const SharedMatrix& K` does.
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

  /// Refers to rows x cols numbers, column by column, that do not change while `keeper` lives. They
  /// are copied where they are not aligned as Eigen aligns its own: the order of its sums, and so
  /// the last bits of results, must not depend on the address of the numbers.
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

  // Eigen's documented way to make a Map refer to other memory: placement new.
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
