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
/// Made before the work, so that a folder that exists or cannot be written is refused early. Files
/// are written into a hidden folder `.<name>.partial-<pid>` beside the target; commit() moves it
/// into place. Without commit(), also after an exception, the hidden folder is removed.
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

  /// The name of a file relative to the folder; nothing where the file is outside of it.
  std::optional<std::string> relative(const std::filesystem::path& file) const;

  /// Where to write a file of the result now; folders on the way to it are created. The name must
  /// stay inside the folder.
  std::filesystem::path path(const std::string& relative);

  /// Copies other files of an earlier result into the new one: all but those for which `is_own` is
  /// true (asked for the first part of the name, such as "cells") and those written again.
  void keep_others(std::function<bool(const std::string& name)> is_own) { is_own_ = is_own; }

  /// Moves the result into place. An earlier result is removed only after that; when the move
  /// fails the earlier one is put back, the finished result stays in its hidden folder and the
  /// OutputError names that folder.
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
