#pragma once

#include <functional>
#include <string>

#include "mkc/base/types.hpp"

namespace mkc::app {

/// The text with every `from` replaced by `to`.
std::string replaced(std::string text, char from, char to);

/// What follows an option, for completion in the shell and for paths in a configuration.
enum class Takes { nothing, text, number, choice, file, choice_or_file, folder, method, views };

/// One option of a command as declared. The shell completion, the manual page and the configuration
/// of a run are made from these records.
struct OptionRecord {
  std::string names;  // "-o,--output"; a positional argument has a name without dashes
  std::string help;
  Takes takes = Takes::text;
  Strings choices;
  std::string default_value;                    // "" if there is none
  std::function<std::string()> get;             // the value as text
  std::function<void(const std::string&)> set;  // throws OptionError
  // All values of an option that may be given several times; otherwise empty functions.
  std::function<Strings()> get_all = {};
  std::function<void(const Strings&)> set_all = {};

  bool positional() const { return !names.starts_with('-'); }
  Strings spellings() const;        // {"-o", "--output"}
  std::string long_name() const;    // "output"
  std::string key() const;          // "samples_in": long name in a configuration
  std::string placeholder() const;  // "FILE" of "--mask FILE"; "" for flags and arguments
};

/// One command with its options, in the order declared.
struct CommandRecord {
  std::string name, summary, description;
  std::vector<OptionRecord> options;
  bool views_optional = false;  // it has something to do without views
};

}  // namespace mkc::app
