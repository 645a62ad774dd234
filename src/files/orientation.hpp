#pragma once

#include "mkc/files/read_all.hpp"

namespace mkc::io {

/// Puts the samples of every unsettled table into rows.
///
/// Where a table does not say on which side its samples stand, that side is taken whose names are
/// also known to the sample map (its colnames for the view), or else to the other views and
/// `known_samples`; spelling does not count. Tables are turned so that most of them share ids.
/// A table is turned where at least two and more than a fifth of its column names are known.
/// InputError where more than one in twenty names of both sides are; else samples stand in rows.
void settle_orientation(std::vector<View>& views, const ReadAllOptions& options);

}  // namespace mkc::io
