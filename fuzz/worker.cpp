#include "worker.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>

extern "C" void __asan_set_error_report_callback(void (*callback)(const char*))
    __attribute__((weak));

namespace mkc::fuzz {

namespace {

// Frame 0 is a function of the sanitizer, such as its memcpy. Where the HDF5 library called it with
// what a damaged file says, that is a crash of the library and not a fault of the reader.
void crash_where_the_library_erred(const char* report) {
  const std::string_view text(report);
  const auto frame = text.find("#1 ");
  if (frame != std::string_view::npos &&
      text.substr(frame, text.find('\n', frame) - frame).find("libhdf5") != std::string_view::npos)
    std::raise(SIGKILL);
}

void watch_the_library() {
  if (__asan_set_error_report_callback != nullptr)
    __asan_set_error_report_callback(crash_where_the_library_erred);
}

constexpr std::size_t largest_input = std::size_t{1} << 24;
constexpr std::size_t inputs_per_child = 5000;
// Of computing. Damaged links make the library run in circles; mkc ends it (hdf5_guard.cpp).
constexpr itimerval time_per_input{{0, 0}, {1, 0}}, no_timer{{0, 0}, {0, 0}};
constexpr rlim_t most_memory = rlim_t{1} << 30;  // as hdf5_guard.cpp limits it, for small files

void require(bool good, const char* what) {
  if (!good) throw std::runtime_error(what);
}

// A transfer small enough for one call, repeated where a timer of libFuzzer interrupts it.
template <class Call>
bool transferred(std::size_t size, const Call& call) {
  ssize_t done = 0;
  do done = call();
  while (done < 0 && errno == EINTR);
  return done == static_cast<ssize_t>(size);
}
template <class T>
bool receive(int file, T& value) {
  return transferred(sizeof(T), [&] { return ::read(file, &value, sizeof(T)); });
}
template <class T>
bool send(int file, const T& value) {
  return transferred(sizeof(T), [&] { return ::write(file, &value, sizeof(T)); });
}

}  // namespace

Worker::Worker(Read read) : read_(std::move(read)) {
  std::signal(SIGPIPE, SIG_IGN);  // a lost child shows in its missing answer
  pthread_atfork(nullptr, nullptr, watch_the_library);
  void* memory = mmap(nullptr, largest_input, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  require(memory != MAP_FAILED, "no shared memory");
  shared_ = static_cast<std::uint8_t*>(memory);
}

void Worker::start() {
  int requests[2], answers[2];
  require(pipe2(requests, O_CLOEXEC) == 0 && pipe2(answers, O_CLOEXEC) == 0, "no pipe");
  child_ = fork();
  require(child_ >= 0, "no child process");
  if (child_ == 0) {
    ::close(requests[1]);
    ::close(answers[0]);
    serve(requests[0], answers[1]);
  }
  ::close(requests[0]);
  ::close(answers[1]);
  requests_ = requests[1];
  answers_ = answers[0];
  served_ = 0;
}

int Worker::stop() {
  int status = 0;
  if (child_ > 0) {
    ::close(requests_);
    ::close(answers_);
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  child_ = -1;
  return status;
}

void Worker::serve(int requests, int answers) {
  for (const int signal :
       {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGPROF, SIGINT, SIGTERM})
    std::signal(signal, SIG_DFL);  // crashes end this process, whatever libFuzzer has set
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
#ifdef MKC_LIMIT_MEMORY  // sanitizers reserve terabytes, and have limits of their own (harness.cpp)
  const rlimit memory{most_memory, most_memory};
  setrlimit(RLIMIT_AS, &memory);
#endif
  std::size_t size = 0;
  while (receive(requests, size)) {
    setitimer(ITIMER_PROF, &time_per_input, nullptr);  // its signal ends the process
    bool accepted = false;
    try {
      accepted = read_(shared_, size);
    } catch (const std::exception& error) {  // not an InputError: a fault of the reader
      std::fprintf(stderr, "the reader threw: %s\n", error.what());
      _exit(2);
    }
    setitimer(ITIMER_PROF, &no_timer, nullptr);
    if (!send(answers, accepted)) break;
  }
  _exit(0);
}

bool Worker::read(const std::uint8_t* data, std::size_t size) {
  if (size > largest_input) return false;
  if (served_ == inputs_per_child) stop();
  if (child_ < 0) start();
  ++served_;
  std::memcpy(shared_, data, size);
  bool accepted = false;
  if (send(requests_, size) && receive(answers_, accepted)) return accepted;
  const int status = stop();
  if (!WIFSIGNALED(status)) {
    std::fprintf(stderr, "the reading process ended by itself, exit code %d\n",
                 WEXITSTATUS(status));
    std::abort();
  }
  return false;
}

}  // namespace mkc::fuzz
