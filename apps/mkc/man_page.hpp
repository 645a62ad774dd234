#pragma once

#include <string>

namespace mkc::app {

/// mkc(1) in troff, from the records of commands and the tables of options.
std::string man_page();

}  // namespace mkc::app
