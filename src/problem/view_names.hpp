#pragma once

#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "mkc/base/error.hpp"

namespace mkc {

/// InputError where two of these, which have a name and a source, have the same name.
template <class Views>
void check_view_names(const Views& views) {
  std::unordered_map<std::string, std::string> seen;
  for (const auto& view : views)
    if (const auto [first, is_new] = seen.emplace(view.name, view.source); !is_new)
      throw InputError(
          fmt::format("two views are named '{}': {} and {}", view.name, first->second, view.source),
          {{"name", "", "gives each a name of its own"}});
}

}  // namespace mkc
