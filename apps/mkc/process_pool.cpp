#include "process_pool.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

#include <fmt/format.h>

namespace mkc::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int code_failed = 1, code_memory = 2;
constexpr std::chrono::milliseconds time_to_end(300);

// Below 0 where the system allows no further process.
pid_t start(const std::function<void(Index)>& work, Index i) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // its result would not be read
  if (getppid() != parent) _exit(code_failed);
  int code = 0;
  try {
    work(i);
  } catch (const std::bad_alloc&) {
    code = code_memory;
  } catch (...) {
    code = code_failed;
  }
  _exit(code);  // runs no destructors and does not flush buffers of the parent
}

std::string failure_text(int status) {
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGKILL
               ? "the run was killed, probably for lack of memory"
               : fmt::format("the run crashed ({})", strsignal(WTERMSIG(status)));
  switch (WEXITSTATUS(status)) {
    case 0:
      return "";
    case code_memory:
      return "out of memory";
    default:
      return "the run failed";
  }
}

}  // namespace

void ProcessPool::run(Index count) {
  std::map<pid_t, Index> running;
  Index next = 0;
  bool going = true;
  std::optional<Clock::time_point> stopped;
  while (!running.empty() || (going && next < count)) {
    if (going && !go_on()) {
      going = false;
      stopped = Clock::now();
      for (const auto& [child, i] : running) kill(child, SIGTERM);
    }
    // Time to finish a file, not a matrix product.
    if (stopped && Clock::now() - *stopped > time_to_end)
      for (const auto& [child, i] : running) kill(child, SIGKILL);
    while (going && next < count && static_cast<int>(running.size()) < workers) {
      const pid_t child = start(work, next);
      if (child < 0 && running.empty())
        throw std::system_error(errno, std::generic_category(),
                                "cannot start a process ('ulimit -u' shows how many are allowed)");
      if (child < 0) break;  // later, when another one has ended
      running.emplace(child, next);
      ++next;
    }
    int status = 0;
    bool any = false;
    for (auto child = running.begin(); child != running.end();) {
      if (waitpid(child->first, &status, WNOHANG) == 0) {
        ++child;
        continue;
      }
      any = true;
      // One that was told to end may have finished in time.
      if (going || status == 0) finished(child->second, failure_text(status));
      child = running.erase(child);
    }
    if (!any) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

double peak_memory_mib() {
  // getrusage() also counts what the process was before it became this program
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;  // in KiB
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace mkc::app
