#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// What the meta_info.json of a result folder says about the run that wrote it.
class EarlierResult {
 public:
  /// `command` is empty where the folder holds no result of mkc.
  explicit EarlierResult(const std::filesystem::path& folder);

  const std::string& command() const { return command_; }  ///< "complete", "evaluate", ...
  bool interrupted() const { return interrupted_; }

  /// Whether that run wrote the file; for results of version 0.1, which do not list their files,
  /// whether the command writes files of this name.
  bool wrote(const std::string& relative) const;

 private:
  std::string command_;
  bool interrupted_ = false;
  bool lists_files_ = false;
  std::set<std::string> files_;
};

/// Everything in the folder that the run of the earlier result did not write: files, links and
/// empty folders, as names relative to the folder, sorted.
Strings foreign_files(const std::filesystem::path& folder, const EarlierResult& result);

/// The text of a meta_info.json with the command and the files of its run.
std::string with_files(const std::string& meta_info, const std::string& command,
                       const Strings& files);

}  // namespace mkc::io
