#pragma once

#include <string>
#include <string_view>

#include "mkc/base/hint.hpp"

namespace mkc::io {

/// What to do about a cell that is not a number.
Hint cell_hint(std::string_view cell);

/// What to do about a table of one line.
std::string no_rows_hint(std::string_view header);

/// What the file is where its first line cannot be that of a table, else "".
std::string foreign_kind(std::string_view first_line);

}  // namespace mkc::io
