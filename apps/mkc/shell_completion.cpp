#include "shell_completion.hpp"

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

Strings command_names() {
  Strings names;
  for (const auto& command : command_records()) names.push_back(command->name);
  return names;
}

// ---- bash

/// The shell command that fills COMPREPLY.
std::string bash_values(const OptionRecord& option) {
  const std::string words = join(words_of(option), " ");
  switch (option.takes) {
    case Takes::choice:
    case Takes::method:
      return fmt::format("_mkc_words \"{}\"", words);
    case Takes::choice_or_file:
      return fmt::format("_mkc_words \"{}\"; _mkc_files", words);
    case Takes::file:
    case Takes::views:
      return "_mkc_files";
    case Takes::folder:
      return "_mkc_folders";
    case Takes::text:
    case Takes::number:
    case Takes::nothing:
      break;
  }
  return ":";
}

std::string bash_command(const CommandRecord& command) {
  Strings names = {"--help"};
  std::string values, positional = ":";
  for (const auto& option : command.options) {
    if (option.positional()) {
      positional = bash_values(option);
      continue;
    }
    const Strings spellings = option.spellings();
    names.insert(names.end(), spellings.begin(), spellings.end());
    if (option.takes != Takes::nothing)
      values +=
          fmt::format("        {}) {}; return ;;\n", join(spellings, "|"), bash_values(option));
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

std::string zsh_action(const OptionRecord& option) {
  const std::string words = join(words_of(option), " ");
  switch (option.takes) {
    case Takes::choice:
    case Takes::method:
      return fmt::format("({})", words);
    case Takes::choice_or_file:
      return fmt::format("{{_alternative \"words\\:word\\:({})\" \"files\\:file\\:_files\"}}",
                         words);
    case Takes::file:
      return "_files";
    case Takes::views:  // NAME=FILE
      return "{compset -P \"*=\"; _files}";
    case Takes::folder:
      return "_files -/";
    case Takes::text:
    case Takes::number:
    case Takes::nothing:
      break;
  }
  return " ";
}

std::string zsh_option(const OptionRecord& option) {
  if (option.positional())
    return fmt::format("'{}:{}:{}'", option.takes == Takes::views ? "*" : "1",
                       zsh_escaped(option.names), zsh_action(option));
  const Strings spellings = option.spellings();
  const std::string value = option.takes == Takes::nothing
                                ? ""
                                : fmt::format(":{}:{}", option.long_name(), zsh_action(option));
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
      "    _mkc_words \"{} --help --version\"\n"
      "    return\n"
      "  fi\n"
      "  # bash cuts words at '=': --psd=clip, NAME=FILE\n"
      "  if [[ $cur == = ]]; then cur=\n"
      "  elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi\n"
      "  case ${{COMP_WORDS[1]}} in\n",
      join(command_names(), " "));
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
