#include "man_page.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/files/view_spec.hpp"
#include "mkc/registry.hpp"
#include "mkc/version.hpp"
#include "parser.hpp"

namespace mkc::app {

namespace {

/// Text escaped for troff.
std::string escaped(const std::string& text) {
  std::string result;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    line_start = c == '\n';
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }

std::string heading(const std::string& title) { return fmt::format(".SH {}\n", title); }

std::string item(const std::string& head, const std::string& body) {
  return fmt::format(".TP\n{}\n{}\n", head, escaped(body));
}

std::string example(const std::string& lines) { return ".PP\n.nf\n" + escaped(lines) + "\n.fi\n"; }

std::string option_head(const OptionRecord& option) {
  if (option.positional()) return bold(option.names);
  Strings spellings;
  for (const auto& spelling : option.spellings()) spellings.push_back(bold(spelling));
  return join(spellings) + " \\fI" + escaped(option.placeholder()) + "\\fR";
}

std::string with_default(const std::string& help, const std::string& value) {
  return value.empty() ? help : fmt::format("{} (default: {})", help, value);
}

std::string command_section(const CommandRecord& command) {
  std::string text = fmt::format(".SS mkc {}\n", escaped(command.name));
  text += example(command.description);
  for (const auto& option : command.options)
    text += item(option_head(option), with_default(option.help, option.default_value));
  return text;
}

std::string view_section() {
  std::string text = heading("VIEWS");
  text += escaped(
      "A view is [NAME=]PATH[:ARRAY][,option=value,...]. Its options, which are also keys of "
      "[[view]] in a TOML file:\n");
  for (const auto& option : io::view_option_infos())
    text += item(bold(option.name) + escaped("=" + option.range),
                 with_default(option.meaning, option.default_value));
  return text;
}

std::string method_section() {
  std::string text = heading("METHODS");
  text += escaped("--method NAME[,option=value,...]; 'mkc methods NAME' lists the options.\n");
  for (const auto& method : methods()) text += item(bold(method.name), method.summary);
  return text;
}

std::string exit_section() {
  std::string text = heading("EXIT STATUS");
  text += item("0", "success");
  text += item("1", "unexpected error: a full disk, a bug in mkc");
  text += item("2", "wrong usage: an unknown option, a value out of range, an output that exists");
  text += item("3", "bad input: the message names the file, line, view or sample");
  text += item("4", "not converged (only with --strict)");
  text += item("5", "not enough memory, or more than --memory needed");
  text += item("130", "interrupted by Ctrl-C or SIGTERM");
  return text;
}

}  // namespace

std::string man_page() {
  std::string text = fmt::format(".TH MKC 1 \"\" \"mkc {}\" \"User Commands\"\n.ad l\n", version);
  text +=
      heading("NAME") + "mkc \\- complete kernel matrices of several views with missing samples\n";
  text += heading("SYNOPSIS") + bold("mkc") + " \\fICOMMAND\\fR [\\fIOPTION\\fR]...\n";
  text += heading("DESCRIPTION") + example(introduction());
  text += heading("COMMANDS");
  for (const auto& command : command_records()) text += command_section(*command);
  return text + view_section() + method_section() + exit_section();
}

}  // namespace mkc::app
