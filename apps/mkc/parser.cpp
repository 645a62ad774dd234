#include "parser.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/names.hpp"
#include "base/text.hpp"
#include "config.hpp"
#include "exit_codes.hpp"
#include "mkc/base/error.hpp"
#include "mkc/base/options.hpp"
#include "mkc/version.hpp"
#include "terminal.hpp"

namespace mkc::app {

namespace {

std::vector<std::shared_ptr<CommandRecord>> records;

Strings option_names(const CLI::App& app) {
  Strings names;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    for (const auto& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// A word that CLI11 does not know, with a suggestion.
std::string unknown_word_text(const CLI::App& app, const std::string& word) {
  if (!word.starts_with("-")) return fmt::format("unexpected argument '{}'", word);
  const std::string name = word.substr(0, word.find('='));
  return fmt::format("there is no option '{}'{}", name, suggestion(name, option_names(app)));
}

// The error of CLI11 in the wording of this tool.
std::string parse_error_text(const CLI::ParseError& error) {
  std::string what = error.what();
  const std::string option = what.substr(0, what.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return what;
  return what.find("At Most") != std::string::npos
             ? fmt::format("{} is given more than once", option)
             : fmt::format("{} needs a value", option);
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv,
                const std::vector<Command>& commands) {
  const auto used = app.get_subcommands();
  const CLI::App& where = used.empty() ? app : *used.front();
  const std::string command = used.empty() ? "" : used.front()->get_name() + " ";
  std::string what = parse_error_text(error);
  std::string hint = fmt::format("see 'mkc {}--help'", command);
  if (used.empty() && argc > 1 && argv[1][0] != '-') {
    const Strings names = names_of(commands);
    what = fmt::format("there is no command '{}'{}", argv[1], suggestion(argv[1], names));
    hint = fmt::format("the commands are {}", join(names));
  } else if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const auto remaining = app.remaining(true);
    what = unknown_word_text(where, remaining.empty() ? "" : remaining.front());
  }
  print_error(what, hint);
  return exit_usage;
}

constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();  // as in TOML

bool read_whole(const std::string& text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value <= largest;
}

std::string not_whole(const std::string& text) {
  return fmt::format("'{}' is not a whole number from 0 to 2^63 - 1", text);
}

std::uint64_t whole_number(const std::string& name, const std::string& text) {
  std::uint64_t value = 0;
  if (!read_whole(text, value)) throw OptionError(fmt::format("{}: {}", name, not_whole(text)));
  return value;
}

bool is_given(const CLI::App& app, const OptionRecord& option) {
  return app.get_option(option.spellings().back())->count() > 0;
}

// Sets options that neither the command line nor the environment gives from --config.
void apply_configuration(const CLI::App& app, const CommandRecord& command) {
  for (const auto& option : command.options) {
    if (option.key() != "config" || option.get().empty()) continue;
    std::vector<const OptionRecord*> unset;
    for (const auto& other : command.options)
      if (!is_given(app, other)) unset.push_back(&other);
    apply_config(option.get(), unset, records);
  }
}

// Views must be given, a choice must be one of its words.
void check_values(const CommandRecord& command) {
  for (const auto& option : command.options) {
    if (option.takes == Takes::views && option.get().empty() && !command.views_optional)
      throw OptionError(fmt::format("{} is required", option.names),
                        fmt::format("see 'mkc {} --help'", command.name));
    if (option.takes == Takes::choice && !option.get().empty())
      detail::to_choice(option.spellings().back(), option.get(), option.choices);
  }
}

// A command, its parser and what it runs.
struct Declared {
  CLI::App* parser;
  std::shared_ptr<CommandRecord> record;
  Runner run;
};

std::vector<Declared> declare(CLI::App& app, const std::vector<Command>& commands) {
  std::vector<Declared> declared;
  records.clear();
  for (const auto& [name, summary, add] : commands) {
    CLI::App* app_of = app.add_subcommand(name, summary);
    records.push_back(std::make_shared<CommandRecord>(CommandRecord{name, summary, "", {}}));
    CommandParser parser(*app_of, records.back());
    declared.push_back({app_of, records.back(), add(parser)});
    for (const auto& option : records.back()->options)
      if (option.takes != Takes::nothing)
        app_of->get_option(option.spellings().back())->type_name(option.placeholder());
  }
  return declared;
}

std::string help_text(const CLI::App& app, const std::vector<Declared>& declared) {
  for (const auto& [parser, record, run] : declared) {
    if (!parser->parsed()) continue;
    parser->description(record->description + "\n");
    return parser->help("mkc");
  }
  return app.help();
}

}  // namespace

const char* introduction() {
  return "mkc completes the kernel matrices of several views in which samples are missing.\n\n"
         "  mkc inspect rna.csv protein.csv methyl.tsv.gz\n"
         "  mkc complete rna.csv protein.csv methyl.tsv.gz -o result\n";
}

const std::vector<std::shared_ptr<CommandRecord>>& command_records() { return records; }

void CommandParser::option(const std::string& name, std::string& value, const std::string& help,
                           Takes takes) {
  choice(name, value, {}, help, takes);
}

void CommandParser::choice(const std::string& name, std::string& value, const Strings& choices,
                           const std::string& help, Takes takes) {
  CLI::Option* option = app_.add_option(name, value, help);
  if (!value.empty()) option->capture_default_str();
  const auto set = [=, &value](const std::string& text) {
    if (takes == Takes::choice) detail::to_choice(name, text, choices);
    value = text;
  };
  record_->options.push_back({name, help, takes, choices, value, [&value] { return value; }, set});
}

void CommandParser::option(const std::string& name, std::uint64_t& value, const std::string& help) {
  const auto check = [](const std::string& text) {
    std::uint64_t number = 0;
    return read_whole(text, number) ? "" : not_whole(text);
  };
  const auto set = [name, &value](const std::string& text) { value = whole_number(name, text); };
  app_.add_option(name, value, help)->check(check)->capture_default_str();
  const auto get = [&value] { return std::to_string(value); };
  record_->options.push_back({name, help, Takes::number, {}, get(), get, set});
}

void CommandParser::repeated(const std::string& name, Strings& values, const std::string& help,
                             Takes takes) {
  CLI::Option* option = app_.add_option(name, values, help);
  if (name.starts_with('-')) option->allow_extra_args(false);
  const auto get = [&values] { return join(values); };
  const auto set = [&values](const std::string& text) { values = {text}; };
  const auto get_all = [&values] { return values; };
  const auto set_all = [&values](const Strings& all) { values = all; };
  record_->options.push_back({name, help, takes, {}, "", get, set, get_all, set_all});
}

void CommandParser::flag(const std::string& name, bool& value, const std::string& help) {
  app_.add_flag(name, value, help);
  const auto get = [&value] { return std::string(value ? "yes" : "no"); };
  const auto set = [name, &value](const std::string& text) { value = detail::to_flag(name, text); };
  record_->options.push_back({name, help, Takes::nothing, {}, "", get, set});
}

void CommandParser::counted_flag(const std::string& name, int& value, const std::string& help) {
  app_.add_flag(name, value, help);
  const auto get = [&value] { return std::to_string(value); };
  const auto set = [name, &value](const std::string& text) {
    value = static_cast<int>(detail::to_count(name, text, 0, 9));
  };
  record_->options.push_back({name, help, Takes::nothing, {}, "", get, set});
}

void CommandParser::count(const std::string& name, int& value, int low, int high,
                          const std::string& variable, const std::string& help) {
  const auto check = [low, high](const std::string& text) {
    double number = 0;
    const bool good = parse_number(text, number) && number >= low && number <= high &&
                      number == std::floor(number);
    return good ? "" : fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
  };
  app_.add_option(name, value, help)->envname(variable)->check(check)->capture_default_str();
  const auto get = [&value] { return std::to_string(value); };
  const auto set = [name, low, high, &value](const std::string& text) {
    value = static_cast<int>(detail::to_count(name, text, low, high));
  };
  const std::string more = variable.empty() ? "" : fmt::format(" (environment: {})", variable);
  record_->options.push_back({name, help + more, Takes::number, {}, get(), get, set});
}

void CommandParser::config(std::string& value) {
  option("--config", value,
         "TOML file with options of this command and [[view]] tables; the command line "
         "has priority",
         Takes::file);
}

Parsed parse_command_line(int argc, char** argv, const std::vector<Command>& commands) {
  CLI::App app{introduction(), "mkc"};
  app.set_version_flag("--version", fmt::format("mkc {}", version));
  app.require_subcommand(1);
  const std::vector<Declared> declared = declare(app, commands);
  if (argc == 1) {
    print_result(app.help());
    return {nullptr, exit_usage};
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print_result(help_text(app, declared));
    return {nullptr, exit_ok};
  } catch (const CLI::CallForVersion&) {
    print_result(fmt::format("mkc {}\n", version));
    return {nullptr, exit_ok};
  } catch (const CLI::ParseError& error) {
    return {nullptr, usage_error(app, error, argc, argv, commands)};
  }
  for (const auto& [parser, record, run] : declared) {
    if (!parser->parsed()) continue;
    apply_configuration(*parser, *record);
    check_values(*record);
    return {run, exit_ok};
  }
  return {nullptr, exit_usage};
}

}  // namespace mkc::app
