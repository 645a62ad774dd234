#pragma once

#include <optional>

#include "mkc/io/view.hpp"

/// Steps from raw values to a view.
namespace mkc::io {

/// "view 'prot' (prot.csv)"
std::string place_of(const View& view);

/// Settles what the values are, and for a kernel puts the columns in the order of the rows.
/// `column_ids` are empty for arrays, which have no names.
void settle_kind(View& view, const Strings& column_ids, std::optional<ViewKind> asked);

/// Leaves out samples without any value; InputError where a kernel row is partly missing or no
/// sample is left.
void drop_missing_samples(View& view);

}  // namespace mkc::io
