#include "option_record.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"

namespace mkc::app {

std::string replaced(std::string text, char from, char to) {
  std::replace(text.begin(), text.end(), from, to);
  return text;
}

Strings OptionRecord::spellings() const { return split(names, ','); }

std::string OptionRecord::long_name() const {
  const std::string last = spellings().back();
  const auto first = last.find_first_not_of('-');
  return first == std::string::npos ? last : last.substr(first);
}

std::string OptionRecord::key() const { return replaced(long_name(), '-', '_'); }

std::string OptionRecord::placeholder() const {
  static const std::map<Takes, std::string> words = {
      {Takes::number, "N"},   {Takes::choice, "WORD"}, {Takes::choice_or_file, "WORD|FILE"},
      {Takes::file, "FILE"},  {Takes::folder, "DIR"},  {Takes::method, "METHOD"},
      {Takes::views, "VIEW"}, {Takes::text, "TEXT"},   {Takes::nothing, ""}};
  return positional() ? "" : words.at(takes);
}

}  // namespace mkc::app
