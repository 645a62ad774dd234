#pragma once

#include <optional>

#include "mkc/files/view_spec.hpp"

/// Steps from raw values to a view.
namespace mkc::io {

/// "dir/rna.v2.tsv.gz" -> "rna.v2"
std::string name_of_file(const std::string& path);

/// A view without values, with what the user said of it.
View new_view(const ViewSpec& spec, std::string name, std::string source);

/// Which side the user said the samples stand on; automatic where nothing was said.
SamplesIn side_told(const ViewSpec& spec);

/// Ids of rows without names: "0", "1", ...
void number_rows(View& view);

/// InputError where an id is empty or stands there twice; `where` names the list.
void check_ids(const Strings& ids, const std::string& where);

/// The view of a Matrix Market file. Ids of samples stand beside it in FILE.docs or FILE.samples,
/// names of features in FILE.terms or FILE.features; their numbers tell whether samples are rows or
/// columns. Without them samples are rows.
View view_of_mtx(const ViewSpec& spec);

/// Settles what the values are, and for a kernel puts the columns in the order of the rows.
/// `column_ids` are empty for arrays, which have no names.
void settle_kind(View& view, const Strings& column_ids, std::optional<ViewKind> asked);

/// Leaves out samples without any value; InputError where a kernel row is partly missing or no
/// sample is left.
void drop_missing_samples(View& view);

/// Both of the above, for a table that stands as its samples do.
void settle(View& view);

/// Puts the samples of an unsettled table from its columns into rows.
void turn(View& view);

}  // namespace mkc::io
