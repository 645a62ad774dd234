#pragma once

#include <functional>

#include "files/raw_table.hpp"

namespace mkc::io {

/// Where a reader puts its tables, one at a time.
struct TableSink {
  std::function<void(RawTable)> put;
  bool in_blocks = false;  // values are to stay in the file: RawTable::rows

  void operator()(RawTable table) const { put(std::move(table)); }
};

/// Names a new file, for the values of a table.
using FileNamer = std::function<std::string()>;

/// Runs a reader of HDF5 files in a child process and returns its tables, without the
/// options of their specification.
///
/// Debian's HDF5 library (1.10) crashes on some damaged or malicious files. Here it ends the child
/// only: a crash, or more time or memory than a file of that size can need, becomes an InputError
/// that names the file. InputErrors of the reader are passed on unchanged. The cost is a fork and a
/// copy of the values through a pipe.
///
/// With `spool` no table is ever whole in memory: its values go, a block of rows at a time, to an
/// NPY file of that name, from which RawTable::rows reads.
std::vector<RawTable> read_in_child(const std::string& path,
                                    const std::function<void(const TableSink&)>& reader,
                                    const FileNamer& spool = {});

}  // namespace mkc::io
