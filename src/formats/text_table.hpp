#pragma once

#include <string>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// A table of words, as it stands in a CSV or TSV file (plain or gzip).
struct TextTable {
  Strings header;
  std::vector<Strings> rows;  // as many cells as the header; row names of R are left out
  Indices lines;
};

/// Lines that are blank or begin with '#' are skipped. Throws InputError with the line of a fault.
TextTable read_text_table(const std::string& path);

}  // namespace mkc::io
