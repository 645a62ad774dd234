#pragma once

#include <string>

namespace mkc::app {

/// Scripts that complete commands, options and their values, from the records of commands.
std::string bash_completion();
std::string zsh_completion();

}  // namespace mkc::app
