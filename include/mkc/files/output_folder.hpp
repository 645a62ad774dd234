#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "mkc/base/error.hpp"

namespace mkc::io {

/// Writes a whole file; OutputError unless every byte reached it.
void write_text_file(const std::filesystem::path& path, std::string_view text);

/// A folder of results that appears under its name only when it is complete.
///
/// Made before the work, so that a folder that exists or cannot be written is refused at once.
/// Files are written into a hidden folder `.<name>.partial-<pid>` beside the target; commit() moves
/// it into place. Without commit(), also when an exception flies, the hidden folder is removed.
class OutputFolder {
 public:
  /// OptionError where the target exists and may not be replaced: `force` replaces an empty folder
  /// and an earlier result (it holds meta_info.json), nothing else. OutputError where the place
  /// cannot be written. Parent folders are created.
  OutputFolder(const std::filesystem::path& target, bool force);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& target() const { return target_; }

  /// The name inside the folder of a file that is to stand there; nothing for files elsewhere.
  std::optional<std::string> relative(const std::filesystem::path& file) const;

  /// Where to write a file of the result now; folders on the way to it are created. The name must
  /// stay inside the folder.
  std::filesystem::path path(const std::string& relative);

  /// What else stands in an earlier result goes into the new one: all but what `is_own` names (its
  /// first part, such as "cells") and what is written anew.
  void keep_others(std::function<bool(const std::string& name)> is_own) { is_own_ = is_own; }

  /// Moves the result into place. An earlier result is removed only after the new one stands; when
  /// that fails the earlier one is put back, the finished result stays in its hidden folder and the
  /// OutputError says where.
  void commit();

 private:
  void copy_others();
  void set_aside_and_move();

  std::filesystem::path target_, partial_;
  std::function<bool(const std::string& name)> is_own_;  // empty: nothing else is kept
  bool force_;
  bool keep_ = false;  // committed, or finished but not movable
};

}  // namespace mkc::io
