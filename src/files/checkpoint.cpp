#include "files/checkpoint.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/format.h>

#include "files/arrays_file.hpp"
#include "files/atomic_replace.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/output_folder.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* lock_name = "lock";
constexpr const char* key_name = "key";

/// A folder of this user that nobody else may write into; made where there is none.
void make_private(const fs::path& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) throw OutputError(path, reason(errno));
  struct stat about{};
  const bool mine = lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode) &&
                    about.st_uid == geteuid() && (about.st_mode & 077) == 0;
  if (!mine)
    throw OptionError(
        fmt::format("'{}' is in the way: it is not a private folder of yours", path.string()),
        "remove it, or choose another output folder");
}

}  // namespace

Checkpoint::Checkpoint(const fs::path& target, const std::string& key)
    : path_(target.parent_path() / fmt::format(".{}.checkpoint", target.filename().string())) {
  make_private(path_);
  const fs::path file = path_ / lock_name;
  lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (lock_ < 0) throw OutputError(file, reason(errno));
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(lock_);
    throw OptionError(fmt::format("another run is working on '{}'", target.string()),
                      "wait for it, or choose another output folder");
  }
  try {
    prepare(key);
  } catch (...) {
    close(lock_);
    throw;
  }
}

Checkpoint::~Checkpoint() {
  if (lock_ < 0) return;
  if (!keeps_anything()) remove();  // an error came first: nothing to go on with
  close(lock_);
}

bool Checkpoint::keeps_anything() const {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_, error))
    if (entry.path().extension() == ".npz") return true;
  return false;
}

/// Keeps what a run with this key left, but for its scratch files.
void Checkpoint::prepare(const std::string& key) {
  resumes_ = read_if_there((path_ / key_name).string()) == key;
  for (const auto& entry : fs::directory_iterator(path_)) {
    const fs::path name = entry.path().filename();
    const bool kept =
        name == lock_name || (resumes_ && (name == key_name || name.extension() == ".npz"));
    if (!kept) fs::remove_all(entry.path());
  }
  if (resumes_) return;
  const fs::path partial = path_ / "key.partial";
  write_text_file(partial, key);
  sync_to_disk(partial);
  fs::rename(partial, path_ / key_name);
}

std::string Checkpoint::scratch() {
  return (path_ / fmt::format("scratch-{}.npy", next_++)).string();
}

void Checkpoint::save(const std::string& name, const factor::Arrays& object) {
  const fs::path partial = path_ / (name + ".partial"), whole = path_ / (name + ".npz");
  write_arrays(partial.string(), {object});
  sync_to_disk(partial);
  fs::rename(partial, whole);
  sync_to_disk(path_);
}

std::optional<factor::Arrays> Checkpoint::load(const std::string& name) const {
  const fs::path whole = path_ / (name + ".npz");
  std::error_code error;
  if (!fs::exists(whole, error)) return std::nullopt;
  try {
    auto objects = read_arrays(whole.string());
    if (objects.size() == 1) return std::move(objects.front());
  } catch (const InputError&) {  // damaged: made again
  }
  return std::nullopt;
}

void Checkpoint::remove() noexcept {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace mkc::io
