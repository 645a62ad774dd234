#pragma once

#include <string>
#include <vector>

#include "mkc/factor/arrays.hpp"

namespace mkc::io {

/// Writes objects of completion in factor form, of different kinds, into one NPZ file. The same
/// objects give the same bytes. OutputError where the disk refuses.
void write_arrays(const std::string& path, const std::vector<factor::Arrays>& objects);

/// Reads them back, bit for bit; only those of a kind where one is given. InputError for a file
/// that is damaged or none of these.
std::vector<factor::Arrays> read_arrays(const std::string& path, const std::string& wanted = {});

}  // namespace mkc::io
