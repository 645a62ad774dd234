#pragma once

#include <string>

#include "formats/files.hpp"
#include "formats/npy_header.hpp"
#include "formats/number_bytes.hpp"
#include "formats/row_source.hpp"

namespace mkc::io {

/// A matrix in an NPY file, read where it lies. Of a file in C order any rows are read at the cost
/// of their bytes; of one in Fortran order (by columns) only neighbouring rows are.
class NpyRows : public RowSource {
 public:
  /// InputError where the file is no NPY matrix of numbers, has no values or is cut off.
  /// `where` names it in messages: its path, or what it is a copy of.
  explicit NpyRows(const std::string& path, const std::string& where = {});

  Index rows() const override { return header_.shape[0]; }
  Index columns() const override { return header_.shape[1]; }
  Index rows_at_once() const override;
  const std::string& file() const { return name_; }
  bool by_columns() const { return header_.fortran_order && rows() > 1 && columns() > 1; }
  void read(const Indices& rows, MutableMatrixRef to) const override;
  void read_segment(Index row, Index first, Index count, double* to) const override;

 private:
  void read_values(std::uint64_t first, std::uint64_t count, double* to) const;

  std::string name_;  // of the file
  std::string path_;  // as messages have it
  FileDescriptor file_;
  std::uint64_t start_ = 0;  // of the data; before header_, which sets it
  NpyHeader header_;
  NumberConverter convert_;
};

/// Writes an NPY matrix of doubles in C order, row after row; how many rows there will be need not
/// be known. OutputError where writing fails.
class NpyRowWriter {
 public:
  NpyRowWriter(const std::string& path, Index columns);

  static constexpr std::size_t header_size = 128;  // of every file that it writes

  /// One sample per column of `rows` (columns, count).
  void add(const MatrixRef& rows);
  /// What stands behind the header of such a file, or a part of it.
  void add_bytes(std::string_view bytes);
  Index rows() const { return rows_; }
  void close();  // without it the file is not complete

 private:
  void write(const char* bytes, std::uint64_t count);

  std::string path_;
  FileDescriptor file_;
  Index columns_, rows_ = 0;
  std::uint64_t loose_ = 0;  // bytes of a row that is not complete
};

/// The rows of a source in another NPY file, in C order.
void copy_rows(const RowSource& source, const std::string& path);

}  // namespace mkc::io
