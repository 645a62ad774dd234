#include "files/hdf5_guard.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "formats/npy_rows.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
constexpr bool is_sanitized = __has_feature(address_sanitizer);
#else
constexpr bool is_sanitized = false;
#endif
constexpr std::uint64_t most_words = std::uint64_t{1} << 32;
enum class Mark : char {
  table = 't',
  end = 'e',
  input_error = 'i',
  memory = 'm',
  limit = 'l',
  fault = 'f'
};

/// Writes into a pipe; the child exits where the other end is closed.
class Sender {
 public:
  explicit Sender(int file) : file_(file) {}

  void bytes(const void* data, std::size_t size) {
    for (const char* at = static_cast<const char*>(data); size > 0;) {
      const ssize_t sent = ::write(file_, at, size);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) _exit(1);
      at += sent;
      size -= static_cast<std::size_t>(sent);
    }
  }
  template <class T>
  void value(T number) {
    bytes(&number, sizeof(number));
  }
  void text(const std::string& word) {
    value(static_cast<std::uint64_t>(word.size()));
    bytes(word.data(), word.size());
  }
  void words(const Strings& list) {
    value(static_cast<std::uint64_t>(list.size()));
    for (const auto& word : list) text(word);
  }
  void hint(const Hint& hint) {
    value(static_cast<std::uint64_t>(hint.advice().size()));
    for (const auto& advice : hint.advice()) words({advice.option, advice.value, advice.sentence});
  }
  void table(const RawTable& table) {
    value(Mark::table);
    text(table.name);
    text(table.source);
    words(table.row_names);
    words(table.column_names);
    value(table.kind);
    value(table.samples_in);
    value(table.numbered);
    words(table.notices);
    value(static_cast<std::uint64_t>(table.hidden.size()));
    for (const Index row : table.hidden) value(row);
    if (table.rows) return rows(*table.rows);
    value(table.values.rows());
    value(table.values.cols());
    numbers(table.values);
  }
  void rows(const RowSource& source) {
    value(source.rows());
    value(source.columns());
    const Index most = source.rows_at_once();
    for (Index first = 0; first < source.rows() && source.columns() > 0; first += most) {
      const Matrix block = read_rows(source, first, std::min(most, source.rows() - first));
      value(block.cols());
      numbers(block);
    }
  }

 private:
  void numbers(const Matrix& values) {
    bytes(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
  }

  int file_;
};

/// The other end. `good` becomes false where the pipe ends early or holds invalid data.
class Receiver {
 public:
  Receiver(int file, const std::string& path, const FileNamer& spool)
      : file_(file), path_(path), spool_(spool) {}

  bool good = true;

  void bytes(void* data, std::size_t size) {
    for (char* at = static_cast<char*>(data); size > 0 && good;) {
      const ssize_t got = ::read(file_, at, size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        good = false;
        return;
      }
      at += got;
      size -= static_cast<std::size_t>(got);
    }
  }
  template <class T>
  T value() {
    T number{};
    bytes(&number, sizeof(number));
    return good ? number : T{};
  }
  std::string text() {
    const auto size = value<std::uint64_t>();
    check_dense_size(size / sizeof(double), 1, path_);
    std::string word(size, '\0');
    bytes(word.data(), size);
    return word;
  }
  Strings words() {
    Strings list;
    const auto count = value<std::uint64_t>();
    if (count > most_words) good = false;
    for (std::uint64_t i = 0; i < count && good; ++i) list.push_back(text());
    return list;
  }
  Hint hint() {
    Hint hint;
    const auto count = value<std::uint64_t>();
    for (std::uint64_t i = 0; i < count && good; ++i)
      if (const Strings advice = words(); advice.size() == 3)
        hint.add({advice[0], advice[1], advice[2]});
    return hint;
  }
  RawTable table() {
    RawTable table;
    table.name = text();
    table.source = text();
    table.row_names = words();
    table.column_names = words();
    table.kind = value<std::optional<ViewKind>>();
    table.samples_in = value<SamplesIn>();
    table.numbered = value<bool>();
    table.notices = words();
    const auto hidden = value<std::uint64_t>();
    for (std::uint64_t i = 0; i < hidden && good; ++i) table.hidden.push_back(value<Index>());
    const auto rows = value<Index>(), columns = value<Index>();
    if (rows < 0 || columns < 0) good = false;
    if (!good) return table;
    if (spool_) {
      if (rows > 0 && columns > 0) table.rows = spooled(rows, columns);
      return table;
    }
    check_dense_size(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns), path_);
    table.values.resize(rows, columns);
    numbers(table.values);
    return table;
  }

 private:
  void numbers(Matrix& values) {
    bytes(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
  }

  std::shared_ptr<const RowSource> spooled(Index rows, Index columns) {
    const std::string file = spool_();
    NpyRowWriter writer(file, columns);
    Matrix block;
    while (good && writer.rows() < rows) {
      const auto count = value<Index>();
      if (count < 1 || count > rows - writer.rows()) good = false;
      if (!good) return nullptr;
      check_dense_size(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(columns),
                       path_);
      block.resize(columns, count);
      numbers(block);
      if (good) writer.add(block);
    }
    writer.close();
    return good ? std::make_shared<NpyRows>(file) : nullptr;
  }

  int file_;
  const std::string& path_;
  const FileNamer& spool_;
};

/// Bytes this process has mapped now.
rlim_t mapped_bytes() {
  unsigned long long pages = 0;
  const FilePointer file(std::fopen("/proc/self/statm", "r"));
  if (!file || std::fscanf(file.get(), "%llu", &pages) != 1) return RLIM_INFINITY;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

/// More time and memory than a file of this size needs. This ends loops of the library and texts
/// that claim gigabytes. A value of one byte takes 8 bytes here.
void limit_resources(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return;
  const rlim_t seconds = 60 + (size >> 22);
  const rlimit time{seconds, seconds};
  setrlimit(RLIMIT_CPU, &time);
  if (is_sanitized) return;  // AddressSanitizer ends the process where memory is refused
  constexpr rlim_t always = rlim_t{1} << 29;  // what the library may need for a small file
  const auto left = static_cast<rlim_t>(std::min(memory_left(), 0x1p60));
  const rlim_t before = mapped_bytes(),
               more = always + std::min(left, 8 * largest_deflate_ratio * size);
  if (before >= RLIM_INFINITY - more) return;
  const rlimit memory{before + more, before + more};
  setrlimit(RLIMIT_AS, &memory);
}

/// A crash must end this process without running the handlers or leaving a core file of the parent.
void prepare_child(const std::string& path) {
  for (const int signal :
       {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGALRM, SIGINT, SIGTERM})
    std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  limit_resources(path);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);  // glibc reports a broken heap there
}

[[noreturn]] void run_child(int file, const std::string& path,
                            const std::function<void(const TableSink&)>& reader, bool in_blocks) {
  Sender sender(file);
  prepare_child(path);
  try {
    reader({[&](RawTable table) {
              if (in_blocks && !table.rows)
                table.rows = std::make_shared<MatrixRows>(std::move(table.values));
              sender.table(table);
            },
            in_blocks});
    sender.value(Mark::end);
  } catch (const InputError& error) {
    sender.value(Mark::input_error);
    sender.text(error.what());
    sender.hint(error.hint());
  } catch (const std::bad_alloc&) {
    sender.value(Mark::memory);
  } catch (const MemoryError& error) {
    sender.value(Mark::limit);
    sender.text(error.what());
  } catch (const std::exception& error) {
    sender.value(Mark::fault);
    sender.text(error.what());
  }
  _exit(0);
}

/// A pipe and the child at its other end, both closed at the end of the scope.
class Child {
 public:
  Child(const std::string& path, const std::function<void(const TableSink&)>& reader,
        bool in_blocks) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw std::runtime_error("cannot read '" + path + "': " + reason(errno));
    id_ = fork();
    if (id_ == 0) {
      ::close(ends[0]);
      run_child(ends[1], path, reader, in_blocks);
    }
    const int error = errno;
    ::close(ends[1]);
    file_ = ends[0];
    if (id_ < 0)
      throw std::runtime_error(
          fmt::format("cannot start a process to read '{}': {}", path, reason(error)));
  }
  ~Child() { wait(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int file() const { return file_; }

  /// How it ended; a child that is still running ends when the pipe is closed.
  int wait() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
    if (id_ > 0)
      while (waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
      }
    id_ = -1;
    return status_;
  }

 private:
  pid_t id_ = -1;
  int file_ = -1;
  int status_ = 0;
};

std::string ending(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("ended early (exit code {})", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  if (signal == SIGXCPU || signal == SIGKILL) return "did not finish";
  return fmt::format("crashed (signal {})", signal);
}

[[noreturn]] void crashed(const std::string& path, int status) {
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM))
    throw InterruptedError(fmt::format("interrupted while {} was read", path));
  throw InputError(fmt::format("{}: the HDF5 library {} on this file", path, ending(status)),
                   damaged);
}

}  // namespace

std::vector<RawTable> read_in_child(const std::string& path,
                                    const std::function<void(const TableSink&)>& reader,
                                    const FileNamer& spool) {
  require_file(path);
  Child child(path, reader, spool != nullptr);
  Receiver receiver(child.file(), path, spool);
  std::vector<RawTable> tables;
  while (receiver.good) {
    const Mark mark = receiver.value<Mark>();
    if (!receiver.good) break;
    if (mark == Mark::end) return tables;
    if (mark == Mark::memory)
      throw InputError(path + ": asks for more memory than a file of its size can need", damaged);
    if (mark == Mark::table) {
      tables.push_back(receiver.table());
    } else if (mark == Mark::input_error) {
      const std::string what = receiver.text();
      const Hint hint = receiver.hint();
      if (receiver.good) throw InputError(what, hint);
    } else if (mark == Mark::limit) {
      const std::string what = receiver.text();
      if (receiver.good) throw MemoryError(what);
    } else if (mark == Mark::fault) {
      const std::string what = receiver.text();
      if (receiver.good) throw std::runtime_error(what);
    } else {
      break;
    }
  }
  crashed(path, child.wait());
}

}  // namespace mkc::io
