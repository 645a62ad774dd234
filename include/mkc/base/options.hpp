#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mkc/base/error.hpp"
#include "mkc/base/types.hpp"

namespace mkc {

/// Options as typed by a user: {{"k", "5"}, ...}.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

/// "NAME[,option=value,...]": the grammar shared by methods and views.
struct Spec {
  std::string name;
  OptionValues options;
};
Spec parse_spec(const std::string& text);
std::string format_spec(const Spec& spec);

/// One option as `mkc methods` prints it.
struct OptionInfo {
  std::string name;
  std::string default_value;
  std::string range;
  std::string meaning;  // what it does, and what a larger value does
};

namespace detail {  // conversions behind OptionTable; each throws OptionError naming the option
double to_number(const std::string& name, const std::string& text, double low, double high);
Index to_count(const std::string& name, const std::string& text, Index low, Index high);
bool to_flag(const std::string& name, const std::string& text);
std::size_t to_choice(const std::string& name, const std::string& text, const Strings& choices);
std::string number_range(double low, double high);
std::string count_range(Index low, Index high);
std::string from_number(double value);
[[noreturn]] void unknown_option(const std::string& owner, const std::string& name,
                                 const std::vector<OptionInfo>& known);
}  // namespace detail

/// Names, ranges and meanings of the fields of a plain options struct. One table serves parsing,
/// checking, printing and storing, so that C++, the command line and Python agree.
template <class Options>
class OptionTable {
 public:
  explicit OptionTable(std::string owner) : owner_(std::move(owner)) {}

  OptionTable& number(const std::string& name, double Options::* field, double low, double high,
                      const std::string& meaning) {
    return add(
        name, detail::number_range(low, high), meaning,
        [=](Options& o, const std::string& text) {
          o.*field = detail::to_number(name, text, low, high);
        },
        [=](const Options& o) { return detail::from_number(o.*field); });
  }

  /// A number, or the word `automatic` (stored as nullopt): chosen by the method.
  OptionTable& number_or(const std::string& automatic, const std::string& name,
                         std::optional<double> Options::* field, double low, double high,
                         const std::string& meaning) {
    return add_or(
        automatic, name, field, detail::number_range(low, high), meaning,
        [=](const std::string& text) { return detail::to_number(name, text, low, high); },
        [](double value) { return detail::from_number(value); });
  }

  /// The same for a whole number.
  OptionTable& count_or(const std::string& automatic, const std::string& name,
                        std::optional<Index> Options::* field, Index low, Index high,
                        const std::string& meaning) {
    return add_or(
        automatic, name, field, detail::count_range(low, high), meaning,
        [=](const std::string& text) { return detail::to_count(name, text, low, high); },
        [](Index value) { return std::to_string(value); });
  }

  OptionTable& count(const std::string& name, Index Options::* field, Index low, Index high,
                     const std::string& meaning) {
    return add(
        name, detail::count_range(low, high), meaning,
        [=](Options& o, const std::string& text) {
          o.*field = detail::to_count(name, text, low, high);
        },
        [=](const Options& o) { return std::to_string(o.*field); });
  }

  OptionTable& flag(const std::string& name, bool Options::* field, const std::string& meaning) {
    return add(
        name, "yes|no", meaning,
        [=](Options& o, const std::string& text) { o.*field = detail::to_flag(name, text); },
        [=](const Options& o) { return std::string(o.*field ? "yes" : "no"); });
  }

  /// An enumeration whose values are 0, 1, ... in the order of `choices`.
  template <class Enum>
  OptionTable& choice(const std::string& name, Enum Options::* field, const Strings& choices,
                      const std::string& meaning) {
    std::string range;
    for (const auto& word : choices) range += (range.empty() ? "" : "|") + word;
    return add(
        name, range, meaning,
        [=](Options& o, const std::string& text) {
          o.*field = static_cast<Enum>(detail::to_choice(name, text, choices));
        },
        [=](const Options& o) { return choices.at(static_cast<std::size_t>(o.*field)); });
  }

  /// A field of any type: from_text(name, text) gives its value, throwing OptionError where the
  /// text is outside `range`; to_text(value) gives the text that reads back as it.
  template <class Field, class FromText, class ToText>
  OptionTable& custom(const std::string& name, Field Options::* field, const std::string& range,
                      const std::string& meaning, FromText from_text, ToText to_text) {
    return add(
        name, range, meaning,
        [=](Options& o, const std::string& text) { o.*field = from_text(name, text); },
        [=](const Options& o) { return to_text(o.*field); });
  }

  const std::string& owner() const { return owner_; }

  /// Defaults overwritten by the given values.
  Options parse(const OptionValues& values) const { return parse_over(Options{}, values); }

  /// The given options overwritten by the given values.
  Options parse_over(Options options, const OptionValues& values) const {
    for (const auto& [name, text] : values) find(name).set(options, text);
    return options;
  }

  /// Throws OptionError where a field lies outside its range.
  void verify(const Options& options) const {
    Options copy;
    for (const auto& entry : entries_) entry.set(copy, entry.get(options));
  }

  /// Every option with the value it has.
  OptionValues values(const Options& options) const {
    OptionValues result;
    for (const auto& entry : entries_) result.emplace_back(entry.info.name, entry.get(options));
    return result;
  }

  std::vector<OptionInfo> describe() const {
    std::vector<OptionInfo> infos;
    for (const auto& entry : entries_) infos.push_back(entry.info);
    return infos;
  }

 private:
  struct Entry {
    OptionInfo info;
    std::function<void(Options&, const std::string&)> set;
    std::function<std::string(const Options&)> get;
  };

  template <class Set, class Get>
  OptionTable& add(const std::string& name, const std::string& range, const std::string& meaning,
                   Set set, Get get) {
    entries_.push_back({{name, get(Options{}), range, meaning}, set, get});
    return *this;
  }

  template <class Value, class FromText, class ToText>
  OptionTable& add_or(const std::string& automatic, const std::string& name,
                      std::optional<Value> Options::* field, const std::string& range,
                      const std::string& meaning, FromText from_text, ToText to_text) {
    return add(
        name, automatic + " or " + range, meaning,
        [=](Options& o, const std::string& text) {
          o.*field = text == automatic ? std::nullopt : std::optional<Value>(from_text(text));
        },
        [=](const Options& o) { return o.*field ? to_text(*(o.*field)) : automatic; });
  }

  const Entry& find(const std::string& name) const {
    for (const auto& entry : entries_)
      if (entry.info.name == name) return entry;
    detail::unknown_option(owner_, name, describe());
  }

  std::string owner_;
  std::vector<Entry> entries_;
};

}  // namespace mkc
