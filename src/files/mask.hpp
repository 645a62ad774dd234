#pragma once

#include <string>

#include "mkc/problem/mask.hpp"

namespace mkc::io {

/// Reads a CSV or TSV table of samples x views whose cells are 1 (observed) or 0 (missing), or the
/// matrix MID of a MATLAB file.
MaskTable read_mask(const std::string& path);

}  // namespace mkc::io
