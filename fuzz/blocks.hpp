#pragma once

#include <string>
#include <string_view>

#include "scratch.hpp"

/// Tables that are too large for memory: read a block of rows at a time, or copied so.
namespace mkc::fuzz {

/// The first bytes say of which format the file is: NPY, NPZ or HDF5, else text.
std::string write_table(Scratch& scratch, std::string_view bytes);

/// As `mkc complete --form factor` reads it. What blocks hold must be what a whole table holds,
/// where that is read as well.
void read_in_blocks(const std::string& path);

}  // namespace mkc::fuzz
