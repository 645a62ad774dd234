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

/// The elements at these places, in their order.
template <class T>
std::vector<T> picked(const std::vector<T>& all, const Indices& places) {
  std::vector<T> some;
  some.reserve(places.size());
  for (const Index i : places) some.push_back(all[at(i)]);
  return some;
}

}  // namespace mkc
