#pragma once

#include "files/raw_table.hpp"
#include "mkc/files/sample_map.hpp"

namespace mkc::io {

/// Gives the rows of views the ids of their samples, by the map's rows for each view.
///
/// Ids that are not in the map are left out, colnames that are not in the file are not used; both
/// are notices. Both in one view are an InputError. A view without rows in the map keeps its ids
/// where some of them are samples of the map, else it is an InputError. With `any_spelling` ids are
/// compared by spelling_key. Returns notices on the map.
Strings apply_sample_map(std::vector<LoadedView>& views, const SampleMap& map, bool any_spelling);

}  // namespace mkc::io
