#include "terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "live_line.hpp"
#include "option_record.hpp"

namespace mkc::app {

namespace {

std::string stdout_failure;  // the first one

// Columns of the text on a terminal: bytes that do not continue a UTF-8 character.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

void error_line(const std::string& text) { std::fputs((printable(text) + "\n").c_str(), stderr); }

}  // namespace

std::string counted(Index count, const std::string& word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

void print_result(const std::string& raw) {
  const std::string text = printable_lines(raw);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if ((!written || std::fflush(stdout) != 0) && errno != EPIPE && stdout_failure.empty())
    stdout_failure =
        fmt::format("cannot write to standard output: {}", std::generic_category().message(errno));
}

void print_json(const nlohmann::ordered_json& json) {
  // Names of files may hold bytes that are not UTF-8.
  print_result(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

std::string output_failure() { return std::exchange(stdout_failure, {}); }

std::string hint_text(const Hint& hint) {
  return hint.text([](const Advice& advice) {
    const auto& [option, value, sentence] = advice;
    if (option == "command") return fmt::format("'mkc {}'", value);
    if (option == "name") return std::string("NAME=PATH");                // as views are given
    if (option == "kind" || option == "categories" || option == "dates")  // options of a view
      return fmt::format("{}={}", option, value);
    const std::string text = "--" + replaced(option, '_', '-');
    return value.empty() ? text : text + " " + value;
  });
}

void print_error(const std::string& what, const Hint& hint) {
  const auto held = hold_line();
  error_line("error: " + what);
  if (!hint.empty()) error_line("hint: " + hint_text(hint));
}

void Terminal::result(const std::string& text) {
  const auto held = hold_line();
  log_ += printable_lines(text);
  if (!quiet && results_wanted) print_result(text);
}

void Terminal::message(const std::string& text) {
  log_ += printable(text) + "\n";
  if (!quiet) print_notice(text);
}

void Terminal::detail(const std::string& text) {
  if (verbosity > 0) {
    message(text);
  } else {
    log_ += printable(text) + "\n";
  }
}

void Terminal::serious(const std::string& text) { message("warning: " + text); }

void Terminal::warning(const std::string& text) { message("note: " + text); }

void Terminal::progress(const Progress& progress) const {
  if (!quiet && progress_wanted) show_progress(progress);
}

std::string format_table(std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows)
    for (auto& cell : row) cell = printable(cell);
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - width(row[c]), ' ');
      line += (c == 0 ? row[c] + padding : "  " + padding + row[c]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace mkc::app
