#pragma once

#include <filesystem>
#include <string>

namespace mkc::io {

/// The hidden folder `.<name>.partial-<random>` beside a target, in which a result is built. Only
/// this user may look into it (mode 0700), so nobody else can plant links in it. A lock on a file
/// in it tells other processes that its owner is alive, on any host; it ends with the process.
class PrivateFolder {
 public:
  /// `target`: an absolute path. OutputError where its place cannot be written.
  explicit PrivateFolder(const std::filesystem::path& target);
  ~PrivateFolder() { remove(); }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path content() const { return path_ / "new"; }  ///< the result being built
  std::filesystem::path aside() const { return path_ / "old"; }    ///< see replace_folder()

  /// Failing to remove it is no error: the next run for the same target tries again.
  void remove() noexcept;

  /// Leaves it to the user; no later run removes it.
  void abandon() noexcept;

 private:
  bool lock();

  std::filesystem::path path_;
  int lock_ = -1;
};

/// Removes what killed runs left beside the target, and puts an earlier result back that such a run
/// had set aside. Folders of running processes and of other users are left alone. Returns a
/// sentence about what was put back, or "".
std::string clean_up_beside(const std::filesystem::path& target);

}  // namespace mkc::io
