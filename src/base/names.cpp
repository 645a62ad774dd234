#include "base/names.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

Places places_of(const Strings& names) {
  Places places;
  for (std::size_t i = 0; i < names.size(); ++i) places.emplace(names[i], static_cast<Index>(i));
  return places;
}

Strings numbered(Index n) {
  Strings names;
  for (Index i = 0; i < n; ++i) names.push_back(std::to_string(i));
  return names;
}

void check_unique(const Strings& names, const std::string& what, const std::string& hint) {
  Places seen;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto [first, is_new] = seen.emplace(names[i], static_cast<Index>(i)); !is_new)
      throw InputError(fmt::format("{} '{}' appears twice: at positions {} and {}", what,
                                   shown(names[i]), first->second + 1, i + 1),
                       hint);
}

}  // namespace mkc
