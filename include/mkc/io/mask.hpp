#pragma once

#include <string>

#include "mkc/io/view.hpp"
#include "mkc/types.hpp"

namespace mkc::io {

/// Which sample was measured in which view.
struct MaskTable {
  Strings samples, views;  // empty where the file does not name them (MATLAB)
  Mask observed;           // (samples, views)
};

/// Reads a CSV or TSV table of samples x views whose cells are 1 (observed) or 0 (missing), or the
/// matrix MID of a MATLAB file.
MaskTable read_mask(const std::string& path);

/// Names the rows and columns of a mask that has no names by their places: the samples as the first
/// view lists them, the views in their order. InputError where the numbers do not agree.
void name_mask(MaskTable& mask, const std::vector<View>& views);

}  // namespace mkc::io
