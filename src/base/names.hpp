#pragma once

#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

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

/// The names of all items, each once, in the order of first appearance; names_of(item) are those
/// of one.
template <class Item, class NamesOf>
Strings union_of(const std::vector<Item>& items, NamesOf names_of) {
  Strings all;
  std::unordered_set<std::string_view> seen;
  for (const auto& item : items)
    for (const std::string& name : std::invoke(names_of, item))
      if (seen.insert(name).second) all.push_back(name);
  return all;
}

/// Where each name is, of a repeated one the first place. The names must outlive it.
using Places = std::unordered_map<std::string_view, Index>;
Places places_of(const Strings& names);

/// "0", "1", ... for n things without names.
Strings numbered(Index n);

/// InputError where a name appears twice: "<what> 'a' appears twice: at positions 1 and 3".
void check_unique(const Strings& names, const std::string& what, const std::string& hint);

}  // namespace mkc
