#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "mkc/error.hpp"
#include "mkc/text.hpp"
#include "mkc/version.hpp"
#include "terminal.hpp"

namespace mkc::app {

namespace {

constexpr std::array commands = {
    Command{"complete", "complete the kernels of several views", add_complete},
    Command{"kernel", "feature tables to kernels, nothing else", add_kernel},
    Command{"demo", "run the main job on a built-in example", add_demo},
    Command{"methods", "the methods, their cost and their options", add_methods},
    Command{"version", "version of mkc and of what it is built on", add_version},
};

std::string stored_command_line;

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                                                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                             "0123456789_-+=./:,@%") ==
                                          std::string::npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void store_command_line(int argc, char** argv) {
  stored_command_line = "mkc";
  for (int i = 1; i < argc; ++i) stored_command_line += " " + shell_quoted(argv[i]);
}

Strings command_names() {
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

// CLI11 names the first word it could not place; say what it may have been meant to be.
int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const auto used = app.get_subcommands();
  const CLI::App& where = used.empty() ? app : *used.front();
  std::string what = error.what(), hint;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string word = where.remaining(true).empty() ? "" : where.remaining(true).front();
    what = word.starts_with("-")
               ? fmt::format("there is no option '{}'{}", word,
                             suggestion(word.substr(0, word.find('=')), option_names(where)))
               : fmt::format("unexpected argument '{}'", word);
  } else if (used.empty() && argc > 1 && argv[1][0] != '-') {
    what = fmt::format("there is no command '{}'{}", argv[1],
                       suggestion(argv[1], command_names()));
    hint = fmt::format("the commands are {}", join(command_names()));
  }
  if (hint.empty())
    hint = fmt::format("'mkc {}--help' shows how it is used",
                       used.empty() ? "" : used.front()->get_name() + " ");
  print_error(what, hint);
  return exit_usage;
}

int run_guarded(const Runner& run) {
  try {
    return run();
  } catch (const OptionError& error) {
    print_error(error.what(), error.hint());
    return exit_usage;
  } catch (const InputError& error) {
    print_error(error.what(), error.hint());
    return exit_bad_input;
  } catch (const MemoryError& error) {
    print_error(error.what());
    return exit_memory;
  } catch (const std::bad_alloc&) {
    print_error("out of memory", "fewer samples or views, or a method that needs less: mkc methods");
    return exit_memory;
  } catch (const std::exception& error) {
    print_error(error.what());
    return exit_unexpected;
  }
}

int main_guarded(int argc, char** argv) {
  store_command_line(argc, argv);
  catch_interrupts();
  CLI::App app{
      "mkc completes kernel matrices of several views in which samples are missing.\n\n"
      "  mkc complete rna.csv protein.csv methyl.tsv.gz -o result\n"};
  app.set_version_flag("--version", fmt::format("mkc {}", version));
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Runner>> runners;
  for (const auto& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name, command.summary);
    runners.emplace_back(sub, command.add(*sub));
  }
  if (argc == 1) {
    print_result(app.help());
    return exit_usage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto used = app.get_subcommands();
    print_result((used.empty() ? app : *used.front()).help());
    return exit_ok;
  } catch (const CLI::CallForVersion&) {
    print_result(fmt::format("mkc {}\n", version));
    return exit_ok;
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, argc, argv);
  }
  for (const auto& [sub, run] : runners)
    if (sub->parsed()) return run_guarded(run);
  return exit_usage;
}

}  // namespace

const std::string& command_line() { return stored_command_line; }

}  // namespace mkc::app

int main(int argc, char** argv) { return mkc::app::main_guarded(argc, argv); }
