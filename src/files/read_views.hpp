#pragma once

#include "mkc/files/view_spec.hpp"

namespace mkc::io {

/// Reads the view of a CSV, TSV, TXT (also .gz) or NPY file, or the views of an NPZ file: one per
/// array, whose samples stand in the array samples_<name>, else in samples, else are numbered from
/// 0.
///
/// Kind, where not given: a kernel if square, symmetric (to 1e-6 of the largest entry) and, for
/// tables, with the same ids in rows and columns; the columns are then put in the order of the
/// rows. Samples stand in rows unless the view says samples_in=columns.
std::vector<View> read_views(const ViewSpec& spec, const Strings& na_values = {});

/// The same, but tables are left as they stand in their file (View::settled).
std::vector<View> read_unsettled_views(const ViewSpec& spec, const Strings& na_values = {});

}  // namespace mkc::io
