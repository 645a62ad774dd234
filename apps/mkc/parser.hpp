#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mkc::app {

/// The options of one command. A thin door to CLI11: parser.cpp alone includes it (it takes longer
/// to compile than all the commands together). Names are written "-o,--output"; a name without a
/// dash is a positional argument. A default is shown in the help.
class CommandParser {
 public:
  explicit CommandParser(CLI::App& app) : app_(app) {}

  /// What `mkc COMMAND --help` begins with: an example first.
  void describe(const std::string& text) { description_ = text; }
  const std::string& description() const { return description_; }

  void option(const std::string& name, std::string& value, const std::string& help);
  void option(const std::string& name, std::uint64_t& value, const std::string& help);
  void list(const std::string& name, std::vector<std::string>& values, const std::string& help);
  /// An option that may be given any number of times, one value each.
  void repeated(const std::string& name, std::vector<std::string>& values, const std::string& help);
  void flag(const std::string& name, bool& value, const std::string& help);
  void counted_flag(const std::string& name, int& value, const std::string& help);
  /// A whole number from `low` to `high`, also taken from an environment variable.
  void count(const std::string& name, int& value, int low, int high, const std::string& variable,
             const std::string& help);

 private:
  CLI::App& app_;
  std::string description_;
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
struct Parsed {
  Runner run;
  int exit_code = 0;
};
Parsed parse_command_line(int argc, char** argv, const std::vector<Command>& commands);

}  // namespace mkc::app
