#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mkc/io/csv.hpp"
#include "mkc/options.hpp"
#include "mkc/shared_matrix.hpp"

namespace mkc::io {

enum class ViewKind { features, kernel };

/// Which side of a table the samples stand on; automatic: where the ids are that others know.
enum class SamplesIn { rows, columns, automatic };

/// One view as its file gives it, with the samples it has. Samples that are missing as a whole
/// (rows of NaN) are left out; single NaN cells of features are left in place.
struct View {
  std::string name;
  std::string source;     // path[:array]
  Strings ids;            // samples, one per row of values
  Strings all_ids;        // samples the file names, also those without values in it
  bool numbered = false;  // the file has no ids: they are the numbers of its rows
  ViewKind kind = ViewKind::features;
  Matrix values;                // (n, d) features, or (n, n) kernel in the order of ids
  SharedMatrix elsewhere;       // instead of values: a kernel that stays in the caller's memory
  Strings feature_names;        // empty for kernels and arrays
  OptionValues kernel_options;  // kernel=, gamma=, ... as the user wrote them
  Strings notices;              // what was assumed or left out, one sentence each
  Indices lines;                // line of the file of each row; empty for arrays and columns
  Strings names_in_file;        // of each row, where ids were renamed since; else empty
  SamplesIn samples_in = SamplesIn::rows;
  // A table is not settled before it is known where its samples are: its header then stands in
  // feature_names, and its kind is what was asked for.
  bool settled = true;
  std::optional<ViewKind> asked_kind;
  OptionValues read_options;  // samples_in=, replicates=, na_features= as the user wrote them
};

/// A view as a user names it:
/// [NAME=]PATH[:ARRAY][,kind=features|kernel][,samples_in=...][,kernel=rbf,gamma=...].
struct ViewSpec {
  std::string name;  // empty: the name of the array, or of the file without its extensions
  std::string path;
  std::string array;             // one array of an NPZ file; empty: all
  std::optional<ViewKind> kind;  // empty: recognised from the values
  OptionValues kernel_options;   // all but kind, kernel=precomputed and the following
  OptionValues read_options;     // samples_in, replicates, na_features (read_options.hpp)
};

/// NAME= is recognised where it holds no slash, :ARRAY where what stands before it is a file or
/// ends in .npz; a text that is the path of a file is taken as that path. `kernel=precomputed`
/// means kind=kernel, any other `kernel=` means kind=features. Throws OptionError or InputError.
ViewSpec parse_view_spec(const std::string& text);

/// The same from its parts; `options` are those of a view. Throws OptionError or InputError.
ViewSpec make_view_spec(const std::string& name, const std::string& path, const std::string& array,
                        const OptionValues& options);

/// Every option a view takes, for help texts.
std::vector<OptionInfo> view_option_infos();

/// Reads the view of a CSV, TSV, TXT (also .gz) or NPY file, or the views of an NPZ file: one per
/// array, whose samples stand in the array samples_<name>, else in samples, else are numbered from
/// 0.
///
/// Kind, where not given: a kernel if square, symmetric (to 1e-6 of the largest entry) and, for
/// tables, with the same ids in rows and columns; the columns are then put in the order of the
/// rows. Samples stand in rows unless the view says samples_in=columns.
std::vector<View> read_views(const ViewSpec& spec, const TableOptions& options = {});

/// The same, but tables are left as they stand in their file (View::settled).
std::vector<View> read_unsettled_views(const ViewSpec& spec, const TableOptions& options = {});

}  // namespace mkc::io
