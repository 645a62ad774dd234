#pragma once

#include <cpp11.hpp>

#include "files/raw_table.hpp"

namespace mkc::r {

/// The tables of a list of R, as R/tables.R makes it.
std::vector<io::RawTable> tables_of(SEXP list);

}  // namespace mkc::r
