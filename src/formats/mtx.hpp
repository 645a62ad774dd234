#pragma once

#include <string>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// Reads a Matrix Market file, plain or gzip: coordinate or array; real, integer or pattern;
/// general, symmetric or skew-symmetric. Entries that stand there twice are added. Sparse ones are
/// read as dense matrices, whose size is checked against the entries there are. InputError names
/// the line.
Matrix read_mtx(const std::string& path);

/// The id files that stand beside a Matrix Market file and are read with it; none for other files.
Strings id_files_beside(const std::string& path);

/// The lines of an id file: one id each, blanks at the ends cut off, an empty last line left out.
Strings read_id_lines(const std::string& path);

}  // namespace mkc::io
