#include "files/private_folder.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "files/atomic_replace.hpp"
#include "files/unfinished.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* lock_name = "lock";
constexpr int most_attempts = 100;

/// Removes the lock last: a folder without one that is not empty belongs to the user.
void remove_folder(const fs::path& folder) noexcept {
  std::error_code ignored;
  // Not what was set aside half removed: that could be taken for a whole result.
  fs::rename(folder / "old", folder / "gone", ignored);
  std::vector<fs::path> entries;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored))
    if (entry->path().filename() != lock_name) entries.push_back(entry->path());
  for (const auto& entry : entries) fs::remove_all(entry, ignored);
  fs::remove(folder / lock_name, ignored);
  fs::remove(folder, ignored);
}

bool is_mine(const fs::path& path, mode_t kind) {
  struct stat about{};
  return lstat(path.c_str(), &about) == 0 && about.st_uid == geteuid() &&
         (about.st_mode & S_IFMT) == kind;
}

bool is_missing(const fs::path& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() == fs::file_type::not_found;
}

/// Puts back what a killed run had set aside. True where it did.
bool put_back(const fs::path& aside, const fs::path& target) {
  return is_mine(aside, S_IFDIR) && is_missing(target) && !rename_to_new(aside, target);
}

/// A folder of this version: its owner lives as long as the lock is held.
bool clean_up(const fs::path& folder, const fs::path& target) {
  const int lock = open((folder / lock_name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (lock < 0) {
    std::error_code ignored;
    fs::remove(folder, ignored);  // only where it is empty
    return false;
  }
  bool recovered = false;
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) {
    recovered = put_back(folder / "old", target);
    remove_folder(folder);
  }
  close(lock);
  return recovered;
}

/// What version 0.1 left: `.<name>.partial-<pid>` and `.<name>.old-<pid>`, without locks.
bool clean_up_old(const fs::path& path, bool set_aside, pid_t pid, const fs::path& target) {
  if (set_aside && !is_missing(path / "meta_info.json") && put_back(path, target)) return true;
  const bool dead = kill(pid, 0) != 0 && errno == ESRCH;
  // The log is written last: this may be a whole result that could not be moved into place.
  const bool whole = !set_aside && !is_missing(path / "mkc.log");
  std::error_code ignored;
  if (dead && !whole) fs::remove_all(path, ignored);
  return false;
}

}  // namespace

PrivateFolder::PrivateFolder(const fs::path& target) {
  const fs::path pattern =
      target.parent_path() / fmt::format(".{}.partial-XXXXXX", target.filename().string());
  // A run that cleans up may remove the folder as long as it is not locked.
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    std::string name = pattern.string();
    if (mkdtemp(name.data()) == nullptr) throw OutputError(target, reason(errno));
    path_ = name;
    if (lock()) {
      add_unfinished(path_);
      return;
    }
  }
  throw OutputError(target, "other processes remove its temporary folder");
}

bool PrivateFolder::lock() {
  const fs::path file = path_ / lock_name;
  lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (lock_ < 0 && errno == ENOENT) return false;
  if (lock_ < 0) {
    const int failure = errno;
    remove();
    throw OutputError(file, reason(failure));
  }
  const int failure = flock(lock_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  struct stat about{};
  // A file system without locks: then no other run can lock it either, and none cleans it up.
  if (failure != EWOULDBLOCK && fstat(lock_, &about) == 0 && about.st_nlink > 0) return true;
  close(lock_);
  lock_ = -1;
  return false;
}

void PrivateFolder::remove() noexcept {
  if (path_.empty()) return;
  drop_unfinished(path_);
  remove_folder(path_);
  if (lock_ >= 0) close(lock_);
  path_.clear();
  lock_ = -1;
}

void PrivateFolder::abandon() noexcept {
  drop_unfinished(path_);
  std::error_code ignored;
  fs::remove(path_ / lock_name, ignored);
  fs::remove(path_, ignored);  // only where it is empty
  if (lock_ >= 0) close(lock_);
  path_.clear();
  lock_ = -1;
}

std::string clean_up_beside(const fs::path& target) {
  const std::string partial = fmt::format(".{}.partial-", target.filename().string());
  const std::string old = fmt::format(".{}.old-", target.filename().string());
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(target.parent_path(), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(partial) || name.starts_with(old)) found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  bool recovered = false;
  for (const auto& path : found) {
    const std::string name = path.filename().string();
    const bool set_aside = name.starts_with(old);
    const std::string end = name.substr(set_aside ? old.size() : partial.size());
    if (end.find('.') != std::string::npos) continue;  // of a target with a longer name
    const bool is_folder = is_mine(path, S_IFDIR);
    if (!is_folder && !is_mine(path, S_IFREG)) continue;
    pid_t pid = 0;
    const auto [rest, failure] = std::from_chars(end.data(), end.data() + end.size(), pid);
    const bool of_version_0_1 =
        failure == std::errc() && *rest == '\0' && pid > 0 && is_missing(path / lock_name);
    if (of_version_0_1)
      recovered |= clean_up_old(path, set_aside, pid, target);
    else if (is_folder && !set_aside)
      recovered |= clean_up(path, target);
  }
  if (!recovered) return "";
  return fmt::format("'{}' is back: a run that was to replace it was killed", target.string());
}

}  // namespace mkc::io
