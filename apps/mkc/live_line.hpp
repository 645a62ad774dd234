#pragma once

#include <mutex>
#include <string>

#include "mkc/problem/run.hpp"

/// Progress on standard error: on a terminal a line that moves every second, elsewhere a plain line
/// every ten seconds. There is one for the process; any thread may call.
namespace mkc::app {

void show_progress(const Progress& progress);

/// Removes the line from the terminal. While the lock is held nothing is shown, so that other
/// output stays whole. The line comes back with the next progress, or after a second.
std::unique_lock<std::mutex> hold_line();

/// Draws the line again where it is older than a second; called a few times a second.
void refresh_line();

/// Removes the line for good.
void end_line();

/// One line on standard error, unless the user wants none.
void print_notice(const std::string& text);
void set_quiet(bool quiet);

}  // namespace mkc::app
