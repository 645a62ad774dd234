#pragma once

#include "files/hdf5_guard.hpp"
#include "files/raw_table.hpp"
#include "formats/text_lines.hpp"

namespace mkc::io {

/// The tables of a file: of a CSV, TSV, TXT (also .gz) or NPY file one, of an NPZ file one per
/// array, whose sample ids are in the array samples_<name>, else in samples, else are numbers from
/// 0. Text tables are left as they are in their file; the samples of all others are in rows.
///
/// With `spool` the values stay on disk (RawTable::rows): where they are, of an NPY file in C
/// order, else in an NPY file of a name that it gives, to which they are copied a part at a time.
/// Text tables have their samples in rows then and hold numbers only. Tables with samples in
/// columns, and files of other formats, are read whole.
std::vector<RawTable> read_tables(const ViewSpec& spec, const Strings& na_values = {},
                                  const FileNamer& spool = {});

/// The specification with the options for all views, which its own override.
ViewSpec with_defaults(ViewSpec spec, const ReadOptions& read);

/// The table of lines of text, under this name.
RawTable table_of_lines(const ViewSpec& spec, const Strings& na_values, TextLines lines,
                        std::string name, std::string source, const FileNamer& spool = {});

/// The views of a file that is read alone.
///
/// Kind, where not given: a kernel if square, symmetric (to 1e-6 of the largest entry) and, for
/// tables, with the same ids in rows and columns; the columns are then put in the order of the
/// rows. Samples are in rows unless the view has samples_in=columns.
std::vector<View> read_views(const ViewSpec& spec, const Strings& na_values = {});

}  // namespace mkc::io
