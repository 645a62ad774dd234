#include "files/unfinished.hpp"

#include <mutex>
#include <set>

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

std::mutex mutex;
std::set<fs::path> paths;

}  // namespace

void add_unfinished(const fs::path& path) {
  const std::lock_guard lock(mutex);
  paths.insert(path);
}

void drop_unfinished(const fs::path& path) noexcept {
  const std::lock_guard lock(mutex);
  paths.erase(path);
}

void remove_unfinished() noexcept {
  const std::lock_guard lock(mutex);
  for (const auto& path : paths) {
    std::error_code error;
    // Again where another thread has added a file meanwhile; without the folder it cannot.
    for (int attempt = 0; attempt < 10 && fs::exists(path, error); ++attempt)
      fs::remove_all(path, error);
  }
}

}  // namespace mkc::io
