#include "shell_completion.hpp"

#include <map>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "mkc/registry.hpp"
#include "parser.hpp"

namespace mkc::app {

namespace {

/// Words that may follow the option; empty for files and free text.
Strings words_of(const OptionRecord& option) {
  return option.takes == Takes::method ? names_of(methods()) : option.choices;
}

/// Code that completes the value of an option; {} is its words.
using ValueCodes = std::map<Takes, std::string>;

std::string value_code(const OptionRecord& option, const ValueCodes& codes) {
  const auto code = codes.find(option.takes == Takes::method ? Takes::choice : option.takes);
  return fmt::format(fmt::runtime(code == codes.end() ? codes.at(Takes::text) : code->second),
                     join(words_of(option), " "));
}

// ---- bash

const ValueCodes bash_codes = {
    {Takes::choice, "_mkc_words \"{}\""}, {Takes::choice_or_file, "_mkc_words \"{}\"; _mkc_files"},
    {Takes::file, "_mkc_files"},          {Takes::views, "_mkc_files"},
    {Takes::folder, "_mkc_folders"},      {Takes::text, ":"}};

std::string bash_command(const CommandRecord& command) {
  Strings names = {"--help"};
  std::string values, positional = ":";
  for (const auto& option : command.options) {
    if (option.positional()) {
      positional = value_code(option, bash_codes);
      continue;
    }
    const Strings spellings = option.spellings();
    names.insert(names.end(), spellings.begin(), spellings.end());
    if (option.takes != Takes::nothing)
      values += fmt::format("        {}) {}; return ;;\n", join(spellings, "|"),
                            value_code(option, bash_codes));
  }
  return fmt::format(
      "    {}) case $prev in\n{}      esac\n"
      "      if [[ $cur == -* ]]; then _mkc_words \"{}\"; else {}; fi ;;\n",
      command.name, values, join(names, " "), positional);
}

// ---- zsh

std::string zsh_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      result += fmt::format("\\{}", c);
    else
      result += c;
  }
  return result;
}

const ValueCodes zsh_codes = {
    {Takes::choice, "({})"},
    {Takes::choice_or_file, "{{_alternative \"words\\:word\\:({})\" \"files\\:file\\:_files\"}}"},
    {Takes::file, "_files"},
    {Takes::views, "{{compset -P \"*=\"; _files}}"},  // NAME=FILE
    {Takes::folder, "_files -/"},
    {Takes::text, " "}};

std::string zsh_option(const OptionRecord& option) {
  if (option.positional())
    return fmt::format("'{}:{}:{}'", option.takes == Takes::views ? "*" : "1",
                       zsh_escaped(option.names), value_code(option, zsh_codes));
  const Strings spellings = option.spellings();
  const std::string value =
      option.takes == Takes::nothing
          ? ""
          : fmt::format(":{}:{}", option.long_name(), value_code(option, zsh_codes));
  const std::string help = fmt::format("'[{}]{}'", zsh_escaped(option.help), value);
  // "--psd=" and "-m+": the value follows '=' or the letter, or is the next word.
  Strings names;
  for (const auto& spelling : spellings)
    names.push_back(option.takes == Takes::nothing ? spelling
                                                   : spelling + (spelling[1] == '-' ? "=" : "+"));
  const bool repeated = option.set_all || option.key() == "verbose";
  const std::string others = repeated                ? "'*'"
                             : spellings.size() == 1 ? ""
                                                     : fmt::format("'({})'", join(spellings, " "));
  const std::string heads = names.size() == 1 ? names[0] : fmt::format("{{{}}}", join(names, ","));
  return others + heads + help;
}

std::string zsh_command(const CommandRecord& command) {
  std::string text = fmt::format("    {}) _arguments '--help[show the help]'", command.name);
  for (const auto& option : command.options)
    text += fmt::format(" \\\n      {}", zsh_option(option));
  return text + " ;;\n";
}

}  // namespace

std::string bash_completion() {
  std::string names;
  for (const auto& command : command_records()) names += command->name + " ";
  std::string text = fmt::format(
      "# bash completion of mkc: source <(mkc completion bash)\n"
      "_mkc_words() {{ COMPREPLY+=($(compgen -W \"$1\" -- \"$cur\")); }}\n"
      "_mkc_files() {{ compopt -o filenames 2>/dev/null; "
      "mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen -f -- \"$cur\"); }}\n"
      "_mkc_folders() {{ compopt -o filenames 2>/dev/null; "
      "mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"); }}\n"
      "_mkc() {{\n"
      "  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    _mkc_words \"{}--help --version\"\n"
      "    return\n"
      "  fi\n"
      "  # bash cuts words at '=': --psd=clip, NAME=FILE\n"
      "  if [[ $cur == = ]]; then cur=\n"
      "  elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi\n"
      "  case ${{COMP_WORDS[1]}} in\n",
      names);
  for (const auto& command : command_records()) text += bash_command(*command);
  return text + "  esac\n}\ncomplete -F _mkc mkc\n";
}

std::string zsh_completion() {
  std::string text =
      "#compdef mkc\n"
      "# zsh completion of mkc: source <(mkc completion zsh), or a file _mkc in $fpath\n"
      "_mkc() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const auto& command : command_records())
    text += fmt::format("    '{}:{}'\n", command->name, zsh_escaped(command->summary));
  text +=
      "  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $words[1] in\n";
  for (const auto& command : command_records()) text += zsh_command(*command);
  return text +
         "  esac\n}\n"
         "if [[ $funcstack[1] == _mkc ]]; then _mkc \"$@\"; else compdef _mkc mkc; fi\n";
}

}  // namespace mkc::app
