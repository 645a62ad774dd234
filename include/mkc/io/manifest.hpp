#pragma once

#include <string>

#include "mkc/types.hpp"

namespace mkc::io {

/// The views of a TOML manifest, each as it would be written on the command line. A view is a table
///
///   [[view]]
///   name = "rna"          # optional
///   file = "rna.csv"      # relative to the manifest
///   array = "K"           # optional, one array of an NPZ file
///   kernel = "rbf"        # any option of a view: text, number or true/false
///   gamma = 0.1
///
/// Throws InputError with line and column for what TOML or this layout does not allow.
Strings read_manifest(const std::string& path);

}  // namespace mkc::io
