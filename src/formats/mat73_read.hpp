#pragma once

#include "formats/mat.hpp"

namespace mkc::io {

/// The variables of a MATLAB 7.3 file, which is an HDF5 file. Call it in a process of its own
/// (hdf5_guard.hpp).
MatVariables parse_mat73(const std::string& path);

/// Whether the first bytes are those of a MATLAB 7.3 file.
bool is_mat73(const std::string& path);

}  // namespace mkc::io
