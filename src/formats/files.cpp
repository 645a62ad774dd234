#include "formats/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "formats/dense_size.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

constexpr int most_neighbours = 1000;

/// Names beside a missing file, for a suggestion.
Strings names_beside(const fs::path& path) {
  Strings names;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
    if (names.size() >= most_neighbours) break;
  }
  return names;
}

[[noreturn]] void cannot_open(const std::string& path, int error_number) {
  if (error_number == ENOENT || error_number == ENOTDIR) {
    const std::string name = fs::path(path).filename().string();
    throw InputError(
        fmt::format("cannot open '{}': no such file{}", path, suggestion(name, names_beside(path))),
        "check the spelling and the current folder");
  }
  throw InputError(
      fmt::format("cannot open '{}': {}", path, reason(error_number)),
      error_number == EACCES ? "check the permissions of the file and its folder" : "");
}

void require_regular(const struct stat& status, const std::string& path) {
  if (S_ISREG(status.st_mode)) return;
  if (S_ISDIR(status.st_mode))
    throw InputError(fmt::format("cannot read '{}': it is a folder, not a file", path),
                     "name one file inside it");
  const char* kind = S_ISFIFO(status.st_mode)   ? "pipe"
                     : S_ISSOCK(status.st_mode) ? "socket"
                                                : "device";
  throw InputError(fmt::format("cannot read '{}': it is a {}, not a regular file", path, kind),
                   "inputs are read more than once: save it to a file first");
}

std::uint64_t size_of_open(int file) {
  struct stat status{};
  return fstat(file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

}  // namespace

std::string reason(int error_number) {
  return error_number == 0 ? "unknown reason" : std::generic_category().message(error_number);
}

int open_input(const std::string& path) {
  // Looked at before it is opened, because opening alone may move a device, and after, because
  // another file may have taken its place.
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) cannot_open(path, errno);
  require_regular(status, path);
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0) cannot_open(path, errno);
  if (fstat(file, &status) != 0) status.st_mode = 0;
  try {
    require_regular(status, path);
  } catch (...) {
    close(file);
    throw;
  }
  return file;
}

void require_file(const std::string& path) { close(open_input(path)); }

bool has_extension(std::string_view path, std::string_view extension) {
  return lower(path).ends_with(extension);
}

FilePointer open_for_reading(const std::string& path) {
  const int descriptor = open_input(path);
  FilePointer file(fdopen(descriptor, "rb"));
  if (file) return file;
  close(descriptor);
  throw std::bad_alloc();
}

std::uint64_t size_of(std::FILE* file) { return size_of_open(fileno(file)); }

FileDescriptor::~FileDescriptor() {
  if (file_ >= 0) close(file_);
}

int FileDescriptor::release() { return std::exchange(file_, -1); }

std::uint64_t size_of(const FileDescriptor& file) { return size_of_open(file.get()); }

void read_at(const FileDescriptor& file, std::uint64_t offset, char* to, std::uint64_t count,
             const std::string& path) {
  while (count > 0) {
    const ssize_t got = pread(file.get(), to, count, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw InputError(fmt::format("cannot read '{}': {}", path,
                                   got < 0 ? reason(errno) : "the file became shorter"));
    to += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::uint64_t>(got);
  }
}

ByteSource file_bytes(const std::string& path) {
  const std::shared_ptr<std::FILE> file = open_for_reading(path);
  return {size_of(file.get()), [file, path](char* to, std::size_t count) {
            errno = 0;
            if (std::fread(to, 1, count, file.get()) == count) return;
            throw InputError(
                fmt::format("cannot read '{}': {}", path,
                            std::ferror(file.get()) ? reason(errno) : "the file became shorter"));
          }};
}

std::string read_whole_file(const std::string& path) {
  const ByteSource source = file_bytes(path);
  check_dense_size(source.size / sizeof(double), 1, path);
  std::string bytes(source.size, '\0');
  source.read(bytes.data(), bytes.size());
  return bytes;
}

std::string read_if_there(const std::string& path) {
  std::error_code error;
  return fs::status(path, error).type() == fs::file_type::not_found ? "" : read_whole_file(path);
}

OutputFile::OutputFile(const std::string& path)
    : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) throw OutputError(path_, reason(errno));
}

void OutputFile::write(std::string_view bytes) {
  if (bytes.empty()) return;
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    throw OutputError(path_, reason(errno));
}

void OutputFile::overwrite(std::uint64_t at, std::string_view bytes) {
  if (fseeko(file_.get(), static_cast<off_t>(at), SEEK_SET) != 0)
    throw OutputError(path_, reason(errno));
  write(bytes);
  if (fseeko(file_.get(), 0, SEEK_END) != 0) throw OutputError(path_, reason(errno));
}

void OutputFile::close() {
  errno = 0;
  const bool had_error = std::ferror(file_.get()) != 0;
  if (std::fclose(file_.release()) != 0 || had_error) throw OutputError(path_, reason(errno));
}

}  // namespace mkc::io
