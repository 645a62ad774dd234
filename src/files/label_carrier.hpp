#pragma once

#include <functional>

#include "files/hdf5_guard.hpp"
#include "files/label_table.hpp"

namespace mkc::io {

/// Runs a reader of labels in a child process, as read_in_child() does with tables.
LabelColumns labels_in_child(const std::string& path, const std::function<LabelColumns()>& reader);

}  // namespace mkc::io
