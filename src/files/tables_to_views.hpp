#pragma once

#include "files/raw_table.hpp"
#include "mkc/files/read_all.hpp"

namespace mkc::io {

/// Everything after reading (see read_all_views): the tables of a run, as their files or a program
/// gave them, become views with one row per sample, in the ids of the samples.
ReadViews views_of_tables(std::vector<RawTable> tables, const ReadAllOptions& options);

}  // namespace mkc::io
