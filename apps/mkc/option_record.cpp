#include "option_record.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace mkc::app {

Strings OptionRecord::spellings() const {
  return split(names, ',');
}

std::string OptionRecord::long_name() const {
  const std::string last = spellings().back();
  const auto first = last.find_first_not_of('-');
  return first == std::string::npos ? last : last.substr(first);
}

std::string OptionRecord::key() const {
  std::string name = long_name();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace mkc::app
