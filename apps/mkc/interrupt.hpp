#pragma once

#include <atomic>
#include <string>
#include <thread>

/// Ctrl-C and SIGTERM. The first one ends the process within a moment, whatever it is doing, unless
/// there is something to keep. Then it sets a flag that the work checks; where the work does not
/// end within a second, a message says what it waits for. The second one ends the process without
/// it.
namespace mkc::app {

void catch_interrupts();
bool interrupted();
const std::atomic<bool>& interrupted_flag();

/// Whether the work returns the best so far when it is asked to stop.
void set_has_result(bool has_result);

/// What is said where the command is left with nothing to keep.
void set_leaving_notice(const std::string& notice);

/// From here to its end the command is not left at the first signal: it does `what` ("writing the
/// result").
void finish_first(const std::string& what);

/// Answers signals while a command runs, and keeps the progress line moving.
class Supervisor {
 public:
  Supervisor();
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

 private:
  std::jthread thread_;
};

}  // namespace mkc::app
