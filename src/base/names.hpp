#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// The `name` of every element, in their order: of views, arrays, methods.
template <class Named>
Strings names_of(const std::vector<Named>& all) {
  Strings names;
  names.reserve(all.size());
  for (const auto& one : all) names.emplace_back(one.name);
  return names;
}

}  // namespace mkc
