#pragma once

#include <string>

namespace mkc::app {

/// Scripts that complete commands, options and their values in a shell, from the commands' records.
std::string bash_completion();
std::string zsh_completion();

}  // namespace mkc::app
