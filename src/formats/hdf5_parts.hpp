#pragma once

#include <cstdint>

#include "formats/hdf5.hpp"

/// Datasets read in parts: what hdf5_read.cpp and hdf5_rows.cpp share.
namespace mkc::io::h5 {

/// The number of values; fails where a file claims more than there can be.
std::uint64_t count_of(const Indices& sizes, const std::string& where);

/// Values in this file only, and no more than its stored bytes can hold.
void check_claim(const Node& dataset, std::uint64_t count);

/// The first packed block (chunk) unpacks to the size that a block has by the file. The library
/// does not look: where a damaged file claims larger blocks, it gives whatever was in memory.
void check_chunks(const Node& dataset, hid_t plan);

/// How many rows to read together: whole chunks, about 8 MB.
Index rows_per_block(const Node& dataset, Index columns);

/// Entries first ... first + count - 1 along the first of one or two dimensions, whole along the
/// second.
void read_part(const Node& dataset, int dimensions, Index first, Index count, Index columns,
               double* to);

}  // namespace mkc::io::h5
