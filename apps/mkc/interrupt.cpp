#include "interrupt.hpp"

#include <csignal>

namespace mkc::app {

namespace {

volatile std::sig_atomic_t raised = 0;

void on_signal(int signal) {
  raised = 1;
  std::signal(signal, SIG_DFL);
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

bool interrupted() { return raised != 0; }

}  // namespace mkc::app
