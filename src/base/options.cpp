#include "mkc/base/options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"

namespace mkc {

Spec parse_spec(const std::string& text) {
  const Strings parts = split(text, ',');
  Spec spec{parts.front(), {}};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto equals = parts[i].find('=');
    if (equals == std::string::npos || equals == 0)
      throw OptionError(fmt::format("'{}': expected option=value, found '{}'", text, parts[i]),
                        "write NAME,option=value,option=value without blanks");
    std::string name = parts[i].substr(0, equals);
    for (const auto& option : spec.options)
      if (option.first == name)
        throw OptionError(fmt::format("'{}': option '{}' is given twice", text, name));
    spec.options.emplace_back(std::move(name), parts[i].substr(equals + 1));
  }
  return spec;
}

std::string format_spec(const Spec& spec) {
  std::string text = spec.name;
  for (const auto& [name, value] : spec.options) text += fmt::format(",{}={}", name, value);
  return text;
}

namespace detail {

namespace {

[[noreturn]] void outside(const std::string& name, const std::string& text,
                          const std::string& range) {
  throw OptionError(fmt::format("option '{}': '{}' is not {}", name, text, range));
}

}  // namespace

double to_number(const std::string& name, const std::string& text, double low, double high) {
  double value = 0;
  if (!parse_number(text, value) || !(value >= low && value <= high))
    outside(name, text, number_range(low, high));
  return value;
}

Index to_count(const std::string& name, const std::string& text, Index low, Index high) {
  constexpr double exact = 0x1p53;  // whole numbers up to here are exact as double
  double value = 0;
  if (!parse_number(text, value) || value != std::floor(value) || std::abs(value) > exact ||
      static_cast<Index>(value) < low || static_cast<Index>(value) > high)
    outside(name, text, count_range(low, high));
  return static_cast<Index>(value);
}

bool to_flag(const std::string& name, const std::string& text) {
  if (text == "yes" || text == "true" || text == "1") return true;
  if (text == "no" || text == "false" || text == "0") return false;
  outside(name, text, "yes or no");
}

std::size_t to_choice(const std::string& name, const std::string& text, const Strings& choices) {
  const auto found = std::find(choices.begin(), choices.end(), text);
  if (found == choices.end())
    throw OptionError(fmt::format("option '{}': '{}' is not one of {}{}", name, text, join(choices),
                                  suggestion(text, choices)));
  return static_cast<std::size_t>(found - choices.begin());
}

std::string number_range(double low, double high) {
  if (std::isinf(low) && std::isinf(high)) return "a number";
  if (std::isinf(high)) return fmt::format("a number >= {}", low);
  return fmt::format("a number from {} to {}", low, high);
}

std::string count_range(Index low, Index high) {
  if (high == std::numeric_limits<Index>::max()) return fmt::format("a whole number >= {}", low);
  return fmt::format("a whole number from {} to {}", low, high);
}

std::string from_number(double value) { return format_number(value); }

void unknown_option(const std::string& owner, const std::string& name,
                    const std::vector<OptionInfo>& known) {
  const Strings names = names_of(known);
  throw OptionError(
      fmt::format("{} has no option '{}'{}", owner, name, suggestion(name, names)),
      names.empty() ? "it takes no options" : fmt::format("its options are {}", join(names)));
}

}  // namespace detail

}  // namespace mkc
