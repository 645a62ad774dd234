#pragma once

#include "mkc/problem/view.hpp"

namespace mkc::io {

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

/// NAME= is recognised where it holds no slash, :ARRAY where the text before it is a file or ends
/// in .npz; a text that is the path of a file is taken as that path. `kernel=precomputed` means
/// kind=kernel, any other `kernel=` means kind=features. Throws OptionError or InputError.
ViewSpec parse_view_spec(const std::string& text);

/// The same from its parts; `options` are those of a view. Throws OptionError or InputError.
ViewSpec make_view_spec(const std::string& name, const std::string& path, const std::string& array,
                        const OptionValues& options);

/// Every option a view takes, for help texts.
std::vector<OptionInfo> view_option_infos();

}  // namespace mkc::io
