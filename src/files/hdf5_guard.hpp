#pragma once

#include <functional>

#include "mkc/problem/view.hpp"

namespace mkc::io {

/// Where a reader puts its views, one at a time.
using ViewSink = std::function<void(View)>;

/// Runs a reader of HDF5 files in a child process and returns the views it hands over.
///
/// Debian's HDF5 library (1.10) crashes on files that were made to harm it, or were merely damaged.
/// There it takes down the child only: a crash, or more time or memory than a file of that size
/// can need, becomes an InputError that names the file. InputErrors of the reader come through as
/// they are. Costs a fork and a copy of the values through a pipe.
std::vector<View> read_in_child(const std::string& path,
                                const std::function<void(const ViewSink&)>& reader);

}  // namespace mkc::io
