#pragma once

#include <string>

namespace mkc::app {

/// mkc(1) in the language of man pages, from the commands' records and the tables of options.
std::string man_page();

}  // namespace mkc::app
