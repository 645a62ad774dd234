#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "option_record.hpp"

namespace CLI {
class App;
}

namespace mkc::app {

/// The options of one command. A thin wrapper around CLI11, which only parser.cpp includes because
/// it takes longer to compile than all commands together. Names are written "-o,--output"; a name
/// without a dash is a positional argument. The help shows defaults.
class CommandParser {
 public:
  CommandParser(CLI::App& app, std::shared_ptr<CommandRecord> record)
      : app_(app), record_(std::move(record)) {}

  /// The first lines of `mkc COMMAND --help`, with an example.
  void describe(const std::string& text) { record_->description = text; }

  /// The command has something to do without views.
  void views_are_optional() { record_->views_optional = true; }

  /// The options declared so far, with their values after parsing.
  std::shared_ptr<const CommandRecord> record() const { return record_; }

  void option(const std::string& name, std::string& value, const std::string& help,
              Takes takes = Takes::text);
  void option(const std::string& name, std::uint64_t& value, const std::string& help);
  /// One of these words; with Takes::choice_or_file, any other word is a file name.
  void choice(const std::string& name, std::string& value, const Strings& choices,
              const std::string& help, Takes takes = Takes::choice);
  /// An option that may be given several times, with one value each, or all positional arguments.
  void repeated(const std::string& name, Strings& values, const std::string& help, Takes takes);
  void flag(const std::string& name, bool& value, const std::string& help);
  void counted_flag(const std::string& name, int& value, const std::string& help);
  /// A whole number from `low` to `high`, or the value of an environment variable.
  void count(const std::string& name, int& value, int low, int high, const std::string& variable,
             const std::string& help);
  /// --config FILE.toml: options and views that the command line does not give.
  void config(std::string& value);

 private:
  CLI::App& app_;
  std::shared_ptr<CommandRecord> record_;
};

/// Declares the options of a command and returns the function to run after parsing.
using Runner = std::function<int()>;
using AddCommand = Runner (*)(CommandParser& parser);

struct Command {
  const char* name;
  const char* summary;
  AddCommand add;
};

/// Parses the arguments of main() and returns the Runner of the command, or an exit code if there
/// is nothing to run (help, version, or a mistyped argument, already reported). Throws OptionError
/// or InputError for errors in a configuration.
struct Parsed {
  Runner run;
  int exit_code = 0;
};
Parsed parse_command_line(int argc, char** argv, const std::vector<Command>& commands);

/// All commands with their options, after parse_command_line.
const std::vector<std::shared_ptr<CommandRecord>>& command_records();

/// The first lines of `mkc --help`.
const char* introduction();

}  // namespace mkc::app
