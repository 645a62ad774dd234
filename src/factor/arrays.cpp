#include "mkc/factor/arrays.hpp"

#include <fmt/format.h>

#include "mkc/base/error.hpp"

namespace mkc::factor {

namespace {

template <class Value>
const Value& find(const Arrays& arrays, const std::vector<std::pair<std::string, Value>>& entries,
                  const std::string& key) {
  for (const auto& [name, value] : entries)
    if (name == key) return value;
  throw InputError(fmt::format("{}: the entry '{}' is missing", arrays.kind, key),
                   "it is incomplete or was made by another version: make it again");
}

}  // namespace

const std::string& Arrays::word(const std::string& key) const { return find(*this, words, key); }
const Matrix& Arrays::matrix(const std::string& key) const { return find(*this, matrices, key); }

}  // namespace mkc::factor
