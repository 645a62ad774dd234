#pragma once

#include "mkc/files/read_all.hpp"

namespace mkc::io {

/// Gives the rows of settled views the ids of their samples, by the map's rows for each view.
///
/// Ids that the map does not name are left out, colnames that the file does not have are not used;
/// both are said. Where both happen in one view, neither holds the other: an InputError. A view the
/// map does not name at all keeps its ids where some of them are samples of the map, else it is an
/// InputError. With `any_spelling` the ids are compared by spelling_key. Returns notices on the
/// map.
Strings apply_sample_map(std::vector<View>& views, const SampleMap& map, bool any_spelling);

/// One row per sample, the rows of one sample merged as asked; InputError where that is refused.
/// The mean of single cells is over the rows that have them; of a kernel it is the kernel of the
/// means.
void merge_replicates(View& view, Replicates policy);

}  // namespace mkc::io
