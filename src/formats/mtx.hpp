#pragma once

#include <string>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// Reads a Matrix Market file, plain or gzip: coordinate or array; real, integer or pattern;
/// general, symmetric or skew-symmetric. Repeated entries are added. Sparse matrices are
/// read as dense ones, whose size is checked against the number of entries. InputError names the
/// line.
Matrix read_mtx(const std::string& path);

/// The id files beside a Matrix Market file that are read with it; none for other files.
Strings id_files_beside(const std::string& path);

/// The lines of an id file: one id each, without blanks at the ends and empty lines at the end.
Strings read_id_lines(const std::string& path);

}  // namespace mkc::io
