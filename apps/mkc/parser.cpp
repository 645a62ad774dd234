#include "parser.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "exit_codes.hpp"
#include "mkc/text.hpp"
#include "mkc/version.hpp"
#include "terminal.hpp"

namespace mkc::app {

namespace {

constexpr const char* introduction =
    "mkc completes kernel matrices of several views in which samples are missing.\n\n"
    "  mkc complete rna.csv protein.csv methyl.tsv.gz -o result\n";

Strings command_names(const std::vector<Command>& commands) {
  Strings names;
  for (const auto& command : commands) names.emplace_back(command.name);
  return names;
}

Strings option_names(const CLI::App& app) {
  Strings names;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    for (const auto& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// A word that CLI11 could not place, and what it may have been meant to be.
std::string misplaced(const CLI::App& app, const std::string& word) {
  if (!word.starts_with("-")) return fmt::format("unexpected argument '{}'", word);
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("there is no option '{}'{}", name, suggestion(name, option_names(app)));
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv,
                const std::vector<Command>& commands) {
  const auto used = app.get_subcommands();
  const CLI::App& where = used.empty() ? app : *used.front();
  const std::string command = used.empty() ? "" : used.front()->get_name() + " ";
  std::string what = error.what();
  std::string hint = fmt::format("'mkc {}--help' shows how it is used", command);
  if (used.empty() && argc > 1 && argv[1][0] != '-') {
    const Strings names = command_names(commands);
    what = fmt::format("there is no command '{}'{}", argv[1], suggestion(argv[1], names));
    hint = fmt::format("the commands are {}", join(names));
  } else if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const auto remaining = app.remaining(true);
    what = misplaced(where, remaining.empty() ? "" : remaining.front());
  }
  print_error(what, hint);
  return exit_usage;
}

}  // namespace

void CommandParser::option(const std::string& name, std::string& value, const std::string& help) {
  CLI::Option* option = app_.add_option(name, value, help);
  if (!value.empty()) option->capture_default_str();
}

void CommandParser::option(const std::string& name, std::uint64_t& value, const std::string& help) {
  app_.add_option(name, value, help)->capture_default_str();
}

void CommandParser::list(const std::string& name, std::vector<std::string>& values,
                         const std::string& help) {
  app_.add_option(name, values, help)->required();
}

void CommandParser::repeated(const std::string& name, std::vector<std::string>& values,
                             const std::string& help) {
  app_.add_option(name, values, help)->allow_extra_args(false);
}

void CommandParser::flag(const std::string& name, bool& value, const std::string& help) {
  app_.add_flag(name, value, help);
}

void CommandParser::counted_flag(const std::string& name, int& value, const std::string& help) {
  app_.add_flag(name, value, help);
}

void CommandParser::count(const std::string& name, int& value, int low, int high,
                          const std::string& variable, const std::string& help) {
  const auto check = [low, high](const std::string& text) {
    double number = 0;
    const bool good = parse_number(text, number) && number >= low && number <= high;
    return good ? "" : fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
  };
  app_.add_option(name, value, help)->envname(variable)->check(check)->capture_default_str();
}

Parsed parse_command_line(int argc, char** argv, const std::vector<Command>& commands) {
  CLI::App app{introduction, "mkc"};
  app.set_version_flag("--version", fmt::format("mkc {}", version));
  app.require_subcommand(1);
  struct Declared {
    CLI::App* app;
    std::string description;
    Runner run;
  };
  std::vector<Declared> declared;
  for (const auto& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    CommandParser parser(*sub);
    Runner run = command.add(parser);
    declared.push_back({sub, parser.description(), std::move(run)});
  }
  if (argc == 1) {
    print_result(app.help());
    return {nullptr, exit_usage};
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    for (const auto& command : declared) {
      if (!command.app->parsed()) continue;
      command.app->description(command.description);
      print_result(command.app->help("mkc"));
      return {nullptr, exit_ok};
    }
    print_result(app.help());
    return {nullptr, exit_ok};
  } catch (const CLI::CallForVersion&) {
    print_result(fmt::format("mkc {}\n", version));
    return {nullptr, exit_ok};
  } catch (const CLI::ParseError& error) {
    return {nullptr, usage_error(app, error, argc, argv, commands)};
  }
  for (auto& command : declared)
    if (command.app->parsed()) return {std::move(command.run), exit_ok};
  return {nullptr, exit_usage};
}

}  // namespace mkc::app
