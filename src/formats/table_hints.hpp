#pragma once

#include <string>
#include <string_view>

#include "mkc/base/hint.hpp"

namespace mkc::io {

/// Hint for a cell that is not a number.
Hint cell_hint(std::string_view cell);

/// Hint for a table of one line.
std::string no_rows_hint(std::string_view header);

/// What kind of file it is where the first line shows that it is not a table, else "".
std::string foreign_kind(std::string_view first_line);

}  // namespace mkc::io
