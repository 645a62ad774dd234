#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mkc/io/csv.hpp"
#include "mkc/options.hpp"
#include "mkc/types.hpp"

namespace mkc::io {

enum class ViewKind { features, kernel };

/// One view as its file gives it, with the samples it has. Samples that are missing as a whole
/// (rows of NaN) are left out; single NaN cells of features are left in place.
struct View {
  std::string name;
  std::string source;  // path[:array]
  Strings ids;         // samples, one per row of values
  Strings all_ids;     // samples the file names, also those without values in it
  ViewKind kind = ViewKind::features;
  Matrix values;                // (n, d) features, or (n, n) kernel in the order of ids
  Strings feature_names;        // empty for kernels and arrays
  OptionValues kernel_options;  // kernel=, gamma=, ... as the user wrote them
  Strings notices;              // what was assumed or left out, one sentence each
  Indices lines;                // line of the file of each row; empty for arrays
};

/// A view as a user names it: [NAME=]PATH[:ARRAY][,kind=features|kernel][,kernel=rbf,gamma=...].
struct ViewSpec {
  std::string name;  // empty: the name of the array, or of the file without its extensions
  std::string path;
  std::string array;             // one array of an NPZ file; empty: all
  std::optional<ViewKind> kind;  // empty: recognised from the values
  OptionValues kernel_options;   // all but kind and kernel=precomputed
};

/// NAME= is recognised where it holds no slash, :ARRAY where what stands before it is a file or
/// ends in .npz; a text that is the path of a file is taken as that path. `kernel=precomputed`
/// means kind=kernel, any other `kernel=` means kind=features. Throws OptionError or InputError.
ViewSpec parse_view_spec(const std::string& text);

/// Reads the view of a CSV, TSV, TXT (also .gz) or NPY file, or the views of an NPZ file: one per
/// array, whose samples stand in the array samples_<name>, else in samples, else are numbered from
/// 0.
///
/// Kind, where not given: a kernel if square, symmetric (to 1e-8 of the largest entry) and, for
/// tables, with the same ids in rows and columns; the columns are then put in the order of the
/// rows.
std::vector<View> read_views(const ViewSpec& spec, const TableOptions& options = {});

}  // namespace mkc::io
