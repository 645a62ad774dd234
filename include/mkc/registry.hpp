#pragma once

#include "mkc/methods/method.hpp"

namespace mkc {

/// All methods, in the order in which they are shown.
const std::vector<Method>& methods();

/// Throws OptionError with a suggestion where there is no such method.
const Method& find_method(const std::string& name);

}  // namespace mkc
