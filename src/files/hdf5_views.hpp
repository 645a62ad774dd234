#pragma once

#include "files/hdf5_guard.hpp"
#include "mkc/files/view_spec.hpp"

/// Views in HDF5 files (.h5, .hdf5), AnnData (.h5ad) and MuData (.h5mu), recognised by their
/// contents.
namespace mkc::io {

/// By the extension: .h5, .hdf5, .h5ad, .h5mu.
bool is_hdf5_path(const std::string& path);

/// mkc's layout, views/<name>/{X or K, samples, features}; else the matrices of the root group, as
/// in an NPZ file; AnnData and MuData by their groups obs and mod. Read in a child process
/// (hdf5_guard.hpp). With `spool` the values stay in files of these names: RawTable::rows.
std::vector<RawTable> tables_of_hdf5(const ViewSpec& spec, const FileNamer& spool = {});

}  // namespace mkc::io
