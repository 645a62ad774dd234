#include "live_line.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "problem/time_left.hpp"

namespace mkc::app {

namespace {

constexpr double bar_every = 0.1;          // seconds between reports on a terminal
constexpr double refreshed_every = 1.0;    // where there are no reports
constexpr double plain_line_every = 10.0;  // seconds between lines elsewhere

struct LiveLine {
  std::mutex mutex;
  Stopwatch clock;
  std::optional<Progress> latest;
  double phase_start = 0, shown = 0;
  TimeLeft time_left;
  bool is_open = false, is_quiet = false;
};

LiveLine line;

bool stderr_is_terminal() {
  static const bool answer = isatty(STDERR_FILENO) == 1;
  return answer;
}

std::string clock_text(double seconds) {
  const long total = std::lround(seconds);
  return total >= 3600 ? fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60)
                       : fmt::format("{:02}:{:02}", total / 60, total % 60);
}

std::string progress_text(double now) {
  const Progress& progress = *line.latest;
  std::string text = "  " + printable(progress.phase);
  if (progress.iteration > 0) {
    text += fmt::format("  iteration {}", progress.iteration);
    if (progress.max_iterations > 0) text += fmt::format("/{}", progress.max_iterations);
    if (!std::isnan(progress.objective))
      text += fmt::format("  objective {:.6g}", progress.objective);
  }
  text += fmt::format("  {} elapsed", clock_text(now - line.phase_start));
  if (const auto left = line.time_left.at(now)) {
    const std::string from = clock_text(left->from), to = clock_text(left->to);
    text += fmt::format(", {} {} left", left->is_bound ? "at most" : "about",
                        from == to ? to : from + " to " + to);
  }
  return text;
}

void draw(double now) {
  line.shown = now;
  const std::string text = progress_text(now);
  if (stderr_is_terminal()) {
    std::fputs(("\r" + text + "\x1b[K").c_str(), stderr);
    line.is_open = true;
  } else {
    std::fputs((text + "\n").c_str(), stderr);
  }
}

void clear() {
  if (!line.is_open) return;
  std::fputs("\r\x1b[K", stderr);
  line.is_open = false;
}

}  // namespace

void show_progress(const Progress& progress) {
  const std::lock_guard lock(line.mutex);
  const double now = line.clock.seconds();
  if (!line.latest || progress.phase != line.latest->phase) line.phase_start = now;
  line.latest = progress;
  line.time_left.add(now, progress);
  if (now - line.shown >= (stderr_is_terminal() ? bar_every : plain_line_every)) draw(now);
}

std::unique_lock<std::mutex> hold_line() {
  std::unique_lock lock(line.mutex);
  clear();
  return lock;
}

void refresh_line() {
  const std::lock_guard lock(line.mutex);
  const double now = line.clock.seconds();
  if (line.latest && stderr_is_terminal() && now - line.shown >= refreshed_every) draw(now);
}

void end_line() {
  const std::lock_guard lock(line.mutex);
  clear();
  line.latest.reset();
}

void print_notice(const std::string& text) {
  const auto held = hold_line();
  if (!line.is_quiet) std::fputs((printable(text) + "\n").c_str(), stderr);
}

void set_quiet(bool quiet) { line.is_quiet = quiet; }

}  // namespace mkc::app
