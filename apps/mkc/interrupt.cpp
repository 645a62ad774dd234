#include "interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <stop_token>
#include <system_error>

#include "exit_codes.hpp"
#include "files/unfinished.hpp"
#include "live_line.hpp"

namespace mkc::app {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto glance = 50ms;
constexpr auto patience = 700ms;  // until a message, which so comes within a second

std::atomic<bool> raised = false;

void on_signal(int signal) {
  raised = true;
  std::signal(signal, SIG_DFL);
}

// What there is to keep. Whoever holds the mutex decides: the supervisor to leave, or the command
// to begin something that must not be left.
std::mutex keeping;
std::string kept;  // empty: nothing
std::string leaving = "interrupted before the first result; nothing was written";

// Not through destructors: other threads are still at work.
[[noreturn]] void leave() {
  const auto held = hold_line();
  io::remove_unfinished();
  _exit(exit_interrupted);
}

// Returns whether the signal was answered for good.
bool answer(Clock::time_point since) {
  const std::lock_guard lock(keeping);
  if (kept.empty()) {
    print_notice(leaving);
    leave();
  }
  if (Clock::now() - since < patience) return false;
  print_notice("interrupted: " + kept + "; press Ctrl-C again to leave without it");
  return true;
}

void supervise(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  Clock::time_point since;
  bool seen = false, answered = false;
  while (!stopped.wait_for(lock, stop, glance, [&] { return stop.stop_requested(); })) {
    refresh_line();
    if (!raised || answered) continue;
    if (!seen) since = Clock::now();
    seen = true;
    answered = answer(since);
  }
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  // A closed pipe (`mkc ... | head`) must not stop the run.
  std::signal(SIGPIPE, SIG_IGN);
  // A file above the limit (ulimit -f) is an error of the write, and is reported.
  std::signal(SIGXFSZ, SIG_IGN);
}

bool interrupted() { return raised; }
const std::atomic<bool>& interrupted_flag() { return raised; }

void set_has_result(bool has_result) {
  const std::lock_guard lock(keeping);
  kept = has_result ? "finishing the current step to keep the best result so far" : "";
}

void set_leaving_notice(const std::string& notice) {
  const std::lock_guard lock(keeping);
  leaving = notice;
}

void finish_first(const std::string& what) {
  const std::lock_guard lock(keeping);
  kept = what;
}

Supervisor::Supervisor() {
  try {
    thread_ = std::jthread(supervise);
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
    // No thread is allowed (ulimit -u): signals are answered where the work checks the flag.
  }
}

Supervisor::~Supervisor() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  end_line();
}

}  // namespace mkc::app
