#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

namespace mkc::io {

class OutputFolder;
class PrivateFolder;

/// A result file that appears under its name only when it is complete: written in a private folder
/// beside its target, moved into place by commit(), removed otherwise.
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

  /// Where the file will be, as the caller wrote it.
  const std::filesystem::path& target() const { return target_; }

  /// To be called before commit() where the run was interrupted, after the same call of the folder.
  /// A file that exists is not replaced: the target becomes `<stem>.interrupted<extension>`.
  void keep_finished();

  /// OutputError where the disk refuses, or the target appeared meanwhile and may not be replaced;
  /// the file is then put beside the target, and the error says where.
  void commit();

  /// The same, but where a file that may not be replaced has appeared there meanwhile, this one is
  /// dropped and false returned.
  bool commit_unless_there();

 private:
  void prepare();
  [[noreturn]] void keep_beside(const std::error_code& error);

  std::filesystem::path target_;
  // Absolute: the working folder may be one that is replaced.
  std::filesystem::path place_, partial_;
  bool force_;
  const OutputFolder* folder_ = nullptr;  // that the file is in, under the name
  std::string inside_;
  std::unique_ptr<PrivateFolder> private_;
};

}  // namespace mkc::io
