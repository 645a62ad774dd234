#include "terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "option_record.hpp"

namespace mkc::app {

namespace {

constexpr double bar_every = 0.1;          // seconds between updates on a terminal
constexpr double plain_line_every = 10.0;  // seconds between lines elsewhere

std::string stdout_failure;  // the first one

bool stderr_is_terminal() {
  static const bool answer = isatty(STDERR_FILENO) == 1;
  return answer;
}

std::string clock_text(double seconds) {
  const long total = std::lround(seconds);
  return total >= 3600 ? fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60)
                       : fmt::format("{:02}:{:02}", total / 60, total % 60);
}

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
    if (option == "name") return std::string("NAME=PATH");       // as views are given
    if (option == "kind") return fmt::format("kind={}", value);  // an option of a view
    const std::string text = "--" + replaced(option, '_', '-');
    return value.empty() ? text : text + " " + value;
  });
}

void print_error(const std::string& what, const Hint& hint) {
  error_line("error: " + what);
  if (!hint.empty()) error_line("hint: " + hint_text(hint));
}

void Terminal::result(const std::string& text) {
  end_progress();
  log_ += printable_lines(text);
  if (!quiet && results_wanted) print_result(text);
}

void Terminal::message(const std::string& text) {
  end_progress();
  log_ += printable(text) + "\n";
  if (!quiet) error_line(text);
}

void Terminal::detail(const std::string& text) {
  if (verbosity > 0) {
    message(text);
  } else {
    log_ += printable(text) + "\n";
  }
}

void Terminal::warning(const std::string& text) { message("note: " + text); }

void Terminal::progress(const Progress& progress) {
  if (quiet || !progress_wanted) return;
  const auto now = Clock::now();
  if (progress.phase != phase_) {
    phase_ = progress.phase;
    phase_start_ = now;
  }
  const double since_shown = std::chrono::duration<double>(now - last_shown_).count();
  if (since_shown < (stderr_is_terminal() ? bar_every : plain_line_every)) return;
  last_shown_ = now;
  const std::string text =
      progress_text(progress, std::chrono::duration<double>(now - phase_start_).count());
  if (stderr_is_terminal()) {
    std::fputs(("\r" + text + "\x1b[K").c_str(), stderr);
    line_open_ = true;
  } else {
    error_line(text);
  }
}

std::string Terminal::progress_text(const Progress& progress, double elapsed) const {
  std::string text = "  " + printable(progress.phase);
  if (progress.iteration > 0) {
    text += fmt::format("  iteration {}", progress.iteration);
    if (progress.max_iterations > 0) text += fmt::format("/{}", progress.max_iterations);
    if (!std::isnan(progress.objective))
      text += fmt::format("  objective {:.6g}", progress.objective);
  }
  text += fmt::format("  {} elapsed", clock_text(elapsed));
  if (progress.iteration > 0 && progress.max_iterations > 0) {
    const double each = elapsed / static_cast<double>(progress.iteration);
    const auto left = static_cast<double>(progress.max_iterations - progress.iteration);
    text += fmt::format(", at most {} left", clock_text(each * left));
  }
  return text;
}

void Terminal::end_progress() {
  if (!line_open_) return;
  std::fputs("\r\x1b[K", stderr);
  line_open_ = false;
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
