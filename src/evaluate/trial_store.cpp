#include "mkc/evaluate/trial_store.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/format.h>

#include "files/atomic_replace.hpp"
#include "formats/files.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

std::string read_all(const fs::path& path) { return read_if_there(path.string()); }

/// Makes the folder where it does not exist. Its name is known beforehand, so that a later run
/// finds it: one that is a link or belongs to another user was planted, and is refused.
void make_own_folder(const fs::path& folder) {
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) throw OutputError(folder, reason(errno));
  struct stat about{};
  if (lstat(folder.c_str(), &about) != 0) throw OutputError(folder, reason(errno));
  if (!S_ISDIR(about.st_mode) || about.st_uid != geteuid())
    throw OutputError(folder, "it is a link, a file or the folder of another user; remove it");
}

/// The file appears whole or not at all, even where the disk or the power fails.
void write_whole(const fs::path& path, const std::string& text) {
  std::string partial = path.string() + ".partial-XXXXXX";
  const int file = mkstemp(partial.data());
  if (file < 0) throw OutputError(partial, reason(errno));
  close(file);
  write_text_file(partial, text);
  sync_to_disk(partial);
  std::error_code error;
  fs::rename(partial, path, error);
  if (error) throw OutputError(path, error.message());
}

}  // namespace

TrialStore::TrialStore(const fs::path& target, bool fresh, Check is_trial)
    : earlier_(target / "cells"),
      running_(target.parent_path() / fmt::format(".{}.cells", target.filename().string())),
      is_trial_(std::move(is_trial)),
      fresh_(fresh) {
  if (fresh) earlier_.clear();
}

void TrialStore::start() const {
  std::error_code ignored;
  if (fresh_) fs::remove_all(running_, ignored);
  if (fs::exists(fs::symlink_status(running_, ignored))) make_own_folder(running_);
}

std::optional<std::string> TrialStore::find(const std::string& key) const {
  for (const auto& folder : {running_, earlier_}) {
    if (folder.empty()) continue;
    std::string text = read_all(folder / (key + ".json"));
    if (is_trial_(text)) return text;
  }
  return std::nullopt;
}

void TrialStore::keep(const std::string& key, const std::string& text) const {
  constexpr int most_attempts = 3;  // another run for the same target may remove the folder
  for (int attempt = 1;; ++attempt) {
    try {
      make_own_folder(running_);
      return write_whole(running_ / (key + ".json"), text);
    } catch (const OutputError&) {
      if (attempt == most_attempts) throw;
    }
  }
}

void TrialStore::move_into(OutputFolder& folder) const {
  for (const auto& from : {earlier_, running_}) {
    std::error_code none;
    if (from.empty()) continue;
    for (const auto& entry : fs::directory_iterator(from, none))
      if (entry.path().extension() == ".json")
        write_text_file(folder.path("cells/" + entry.path().filename().string()),
                        read_all(entry.path()));
  }
}

void TrialStore::clear(const OutputFolder& result) const {
  remove_running([&](const fs::path& file) {
    return fs::exists(result.target() / "cells" / file.filename());
  });
}

void TrialStore::remove_partial() const {
  remove_running([](const fs::path&) { return false; });
}

void TrialStore::remove_running(const std::function<bool(const fs::path&)>& is_done) const {
  std::vector<fs::path> done;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(running_, ignored))
    if (entry.path().extension() != ".json" || is_done(entry.path())) done.push_back(entry.path());
  for (const auto& path : done) fs::remove(path, ignored);
  fs::remove(running_, ignored);  // only where it is empty
}

}  // namespace mkc::io
