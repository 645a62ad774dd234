#pragma once

#include "mkc/methods/method.hpp"

namespace mkc {

/// Every method that completes by itself, in the order in which they are shown: all but `auto`.
const std::vector<Method>& single_methods();

/// OptionError with a suggestion where no method of `list` has this name.
const Method& find_method_in(const std::vector<Method>& list, const std::string& name);

/// complete() by one of single_methods().
Completion complete_single(const Problem& problem, const std::string& method,
                           const RunOptions& run);

}  // namespace mkc
