#pragma once

#include <filesystem>
#include <string>

namespace mkc::io {

class OutputFolder;

/// A result file that appears under its name only when it is complete: written as
/// `.<name>.partial-<pid>` beside its target, moved into place by commit(), removed otherwise.
class PendingFile {
 public:
  /// Made before the work, so that a file that cannot be written is refused early: OptionError
  /// where the target exists and `force` is false, or is a folder; OutputError where its place
  /// cannot be written. Parent folders are created.
  PendingFile(const std::filesystem::path& target, bool force);
  /// The same beside a result folder. A target inside that folder is one of its files and is
  /// committed or removed with it.
  PendingFile(const std::filesystem::path& target, bool force, OutputFolder& folder);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  std::string path() const { return partial_.string(); }
  void commit();  // OutputError where the disk refuses

 private:
  void prepare(bool force);

  std::filesystem::path target_, partial_;
  bool in_folder_ = false;
};

}  // namespace mkc::io
