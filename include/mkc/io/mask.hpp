#pragma once

#include <string>

#include "mkc/types.hpp"

namespace mkc::io {

/// Which sample was measured in which view.
struct MaskTable {
  Strings samples, views;
  Mask observed;  // (samples, views)
};

/// Reads a CSV or TSV table of samples x views whose cells are 1 (observed) or 0 (missing).
MaskTable read_mask(const std::string& path);

}  // namespace mkc::io
