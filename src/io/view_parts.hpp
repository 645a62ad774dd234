#pragma once

#include <optional>

#include "mkc/io/view.hpp"

/// Steps from raw values to a view.
namespace mkc::io {

/// "view 'prot' (prot.csv)"
std::string place_of(const View& view);

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

/// Keeps these rows (of a kernel: rows and columns) of a settled view; all_ids stay.
void keep_samples(View& view, const Indices& kept);

/// InputError where two views have one name.
void check_view_names(const std::vector<View>& views);

/// "'a', 'b', 'c', ...": the first few of many names, for messages.
std::string first_of(const Strings& names);

}  // namespace mkc::io
