#include "files/atomic_replace.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <thread>

#include <fmt/format.h>

#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

#ifdef RENAME_EXCHANGE
constexpr unsigned exchange = RENAME_EXCHANGE, no_replace = RENAME_NOREPLACE;
#else
constexpr unsigned exchange = 2, no_replace = 1;
#endif

/// rename(2) with flags; `operation_not_supported` where the system or the file system has none.
std::error_code rename_with(unsigned flags, const fs::path& from, const fs::path& to) {
#ifdef RENAME_EXCHANGE
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0) return {};
  if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
    return {errno, std::generic_category()};
#endif
  return std::make_error_code(std::errc::operation_not_supported);
}

}  // namespace

void sync_to_disk(const fs::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0 && errno == EACCES) return;  // a folder in which one may write but not look
  if (file < 0) throw OutputError(path, reason(errno));
  const int failure = fsync(file) == 0 ? 0 : errno;
  close(file);
  if (failure != 0 && failure != EINVAL && failure != EROFS && failure != EOPNOTSUPP)
    throw OutputError(path, reason(failure));
}

void sync_folders(const fs::path& top) {
  for (const auto& entry : fs::directory_iterator(top))
    if (fs::is_directory(entry.symlink_status())) sync_folders(entry.path());
  sync_to_disk(top);
}

std::error_code rename_to_new(const fs::path& from, const fs::path& to) {
  std::error_code error = rename_with(no_replace, from, to);
  if (error != std::errc::operation_not_supported) return error;
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(to, ignored)))
    return std::make_error_code(std::errc::file_exists);
  fs::rename(from, to, error);
  return error;
}

std::error_code replace_folder(const fs::path& from, const fs::path& to, const fs::path& aside) {
  std::error_code error = rename_with(exchange, from, to);
  if (error != std::errc::operation_not_supported) return error;
  fs::rename(to, aside, error);
  if (error) return error;
  fs::rename(from, to, error);
  std::error_code ignored;  // the first error tells more
  if (error) fs::rename(aside, to, ignored);
  return error;
}

TurnLock::TurnLock(const fs::path& folder)
    : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  constexpr int most_attempts = 200;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (flock(folder_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TurnLock::~TurnLock() {
  if (folder_ >= 0) close(folder_);
}

fs::path free_name(const fs::path& path, const std::string& word, bool is_folder) {
  const std::string stem = (is_folder ? path.filename() : path.stem()).string();
  const std::string extension = is_folder ? "" : path.extension().string();
  for (int number = 1;; ++number) {
    const std::string count = number == 1 ? "" : fmt::format("-{}", number);
    fs::path name = path.parent_path() / fmt::format("{}.{}{}{}", stem, word, count, extension);
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(name, ignored))) return name;
  }
}

}  // namespace mkc::io
