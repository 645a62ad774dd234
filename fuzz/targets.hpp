#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// The reader of each format, called on any bytes.
namespace mkc::fuzz {

/// Makes the folder for the files, which this process removes at its end. Before any fork: a child
/// that made one would leave it.
void prepare();

/// Reads the bytes as a file of that format (a folder of corpus/). An InputError is a good answer;
/// anything else that is thrown, a crash, or a sanitizer's finding is a fault of the reader.
/// Returns whether the reader accepted them.
bool read_as(std::string_view format, const std::uint8_t* data, std::size_t size);

/// Whether the HDF5 library may read more than the beginning: it stops where its signature is
/// nowhere in the file.
bool reaches_hdf5(const std::uint8_t* data, std::size_t size);

}  // namespace mkc::fuzz
