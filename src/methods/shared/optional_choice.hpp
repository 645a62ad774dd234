#pragma once

#include <optional>

#include "mkc/base/options.hpp"

namespace mkc {

/// OptionTable::choice for a field that may be left to the method: the word `auto` is nullopt.
template <class Options, class Enum>
void optional_choice(OptionTable<Options>& table, const std::string& name,
                     std::optional<Enum> Options::* field, const Strings& choices,
                     const std::string& meaning) {
  Strings words = {"auto"};
  words.insert(words.end(), choices.begin(), choices.end());
  std::string range;
  for (const auto& word : words) range += (range.empty() ? "" : "|") + word;
  table.custom(
      name, field, range, meaning,
      [words](const std::string& option, const std::string& text) {
        const std::size_t place = detail::to_choice(option, text, words);
        return place == 0 ? std::nullopt : std::optional<Enum>(static_cast<Enum>(place - 1));
      },
      [words](const std::optional<Enum>& value) {
        return value ? words.at(1 + static_cast<std::size_t>(*value)) : words[0];
      });
}

}  // namespace mkc
