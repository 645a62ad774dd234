#pragma once

#include <memory>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// Numbers in rows, read a few rows at a time, of which the rest stays where it is. Any thread may
/// read.
class RowSource {
 public:
  virtual ~RowSource() = default;

  virtual Index rows() const = 0;
  virtual Index columns() const = 0;

  /// How many rows are best read together, where all are.
  virtual Index rows_at_once() const;

  /// Row rows[i] of the source becomes column i of `to` (columns, count); the rows may come in any
  /// order. InputError where the source cannot be read.
  virtual void read(const Indices& rows, MutableMatrixRef to) const = 0;

  /// Columns first ... first + count - 1 of one row. Here by reading the whole row.
  virtual void read_segment(Index row, Index first, Index count, double* to) const;
};

/// Rows first ... first + count - 1 as columns.
Matrix read_rows(const RowSource& source, Index first, Index count);

/// A table that is in memory, one row per sample.
class MatrixRows : public RowSource {
 public:
  explicit MatrixRows(Matrix values) : values_(std::move(values)) {}

  Index rows() const override { return values_.rows(); }
  Index columns() const override { return values_.cols(); }
  void read(const Indices& rows, MutableMatrixRef to) const override {
    to = values_(rows, Eigen::all).transpose();
  }
  void read_segment(Index row, Index first, Index count, double* to) const override {
    Eigen::Map<Vector>(to, count) = values_.row(row).segment(first, count).transpose();
  }

 private:
  Matrix values_;
};

}  // namespace mkc::io
