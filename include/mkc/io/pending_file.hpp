#pragma once

#include <filesystem>
#include <string>

namespace mkc::io {

/// A result file that appears under its name only when it is complete: written as
/// `.<name>.partial-<pid>` beside its target, moved into place by commit(), removed otherwise.
class PendingFile {
 public:
  /// OptionError where the target exists and `force` is false, or is a folder.
  PendingFile(const std::filesystem::path& target, bool force);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  std::string path() const { return partial_.string(); }
  void commit();  // OutputError where the disk refuses

 private:
  std::filesystem::path target_, partial_;
};

}  // namespace mkc::io
