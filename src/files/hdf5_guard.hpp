#pragma once

#include <functional>

#include "files/raw_table.hpp"

namespace mkc::io {

/// Where a reader puts its tables, one at a time.
using TableSink = std::function<void(RawTable)>;

/// Runs a reader of HDF5 files in a child process and returns its tables, without the
/// options of their specification.
///
/// Debian's HDF5 library (1.10) crashes on some damaged or malicious files. Here it ends the child
/// only: a crash, or more time or memory than a file of that size can need, becomes an InputError
/// that names the file. InputErrors of the reader are passed on unchanged. The cost is a fork and a
/// copy of the values through a pipe.
std::vector<RawTable> read_in_child(const std::string& path,
                                    const std::function<void(const TableSink&)>& reader);

}  // namespace mkc::io
