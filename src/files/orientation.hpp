#pragma once

#include "files/raw_table.hpp"
#include "mkc/files/read_all.hpp"

namespace mkc::io {

/// Puts the samples of every text table into rows.
///
/// Where the user does not say on which side they are, that side is taken whose names are also in
/// the sample map (its colnames for the view), or else in the other views and `known_samples`;
/// spelling does not count. Tables are turned so that most of them share ids. A table is turned
/// where at least two and more than a fifth of its column names are known. InputError where more
/// than one in twenty names of both sides are; else samples are in rows.
void put_samples_in_rows(std::vector<RawTable>& tables, const ReadAllOptions& options);

}  // namespace mkc::io
