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

/// The options of one command. A thin door to CLI11: parser.cpp alone includes it (it takes longer
/// to compile than all the commands together). Names are written "-o,--output"; a name without a
/// dash is a positional argument. A default is shown in the help.
class CommandParser {
 public:
  CommandParser(CLI::App& app, std::shared_ptr<CommandRecord> record)
      : app_(app), record_(std::move(record)) {}

  /// What `mkc COMMAND --help` begins with: an example first.
  void describe(const std::string& text) { record_->description = text; }

  /// The options declared so far, with their values once they are parsed.
  std::shared_ptr<const CommandRecord> record() const { return record_; }

  void option(const std::string& name, std::string& value, const std::string& help,
              Takes takes = Takes::text);
  void option(const std::string& name, std::uint64_t& value, const std::string& help);
  /// One of these words; with Takes::choice_or_file any other word names a file.
  void choice(const std::string& name, std::string& value, const Strings& choices,
              const std::string& help, Takes takes = Takes::choice);
  void list(const std::string& name, std::vector<std::string>& values, const std::string& help,
            Takes takes = Takes::views);
  /// An option that may be given any number of times, one value each.
  void repeated(const std::string& name, std::vector<std::string>& values, const std::string& help,
                Takes takes = Takes::text);
  void flag(const std::string& name, bool& value, const std::string& help);
  void counted_flag(const std::string& name, int& value, const std::string& help);
  /// A whole number from `low` to `high`, also taken from an environment variable.
  void count(const std::string& name, int& value, int low, int high, const std::string& variable,
             const std::string& help);
  /// --config FILE.toml: options that the command line leaves out, and the views if it has none.
  void config(std::string& value);

 private:
  CLI::App& app_;
  std::shared_ptr<CommandRecord> record_;
};

/// Declares the options of a command and returns what to run once they are parsed.
using Runner = std::function<int()>;
using AddCommand = Runner (*)(CommandParser& parser);

struct Command {
  const char* name;
  const char* summary;
  AddCommand add;
};

/// Parses the arguments of main() and returns the chosen command's Runner, or an exit code where
/// there is nothing to run (help, version, a mistyped argument; the message has been printed).
/// Throws OptionError or InputError for what a configuration holds.
struct Parsed {
  Runner run;
  int exit_code = 0;
};
Parsed parse_command_line(int argc, char** argv, const std::vector<Command>& commands);

/// All commands with their options, once parse_command_line has been called.
const std::vector<std::shared_ptr<CommandRecord>>& command_records();

/// The first words of `mkc --help`.
const char* introduction();

}  // namespace mkc::app
