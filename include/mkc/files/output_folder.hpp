#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mkc/base/error.hpp"
#include "mkc/base/types.hpp"

namespace mkc::io {

class PrivateFolder;

/// Writes a whole file; OutputError unless every byte reached it.
void write_text_file(const std::filesystem::path& path, std::string_view text);

/// Whether the folder holds the result of this command.
bool is_result_of(const std::string& command, const std::filesystem::path& folder);

/// A folder of results that appears under its name only when it is complete.
///
/// Made before the work, so that a folder that exists or cannot be written is refused early. Files
/// are written into a private folder beside the target; commit() moves them into place, in one
/// step. Without commit(), also after an exception, the private folder is removed; where the
/// process is killed, the next run for the same target removes it.
class OutputFolder {
 public:
  /// OptionError where the target exists and may not be replaced: `force` replaces an empty folder
  /// and an earlier result of the same command, nothing else. OutputError where the place cannot be
  /// written. Parent folders are created.
  OutputFolder(const std::filesystem::path& target, std::string command, bool force);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& target() const { return target_; }

  /// The name of a file relative to the folder; nothing where the file is outside of it.
  std::optional<std::string> relative(const std::filesystem::path& file) const;

  /// The first of these files that is in the folder as it exists now: under a name in it, or as a
  /// symbolic or hard link to a file in it. Nothing where there is none.
  std::optional<std::string> first_inside(const Strings& files) const;

  /// Where to write a file of the result now; folders on the way to it are created. The name must
  /// stay inside the folder.
  std::filesystem::path path(const std::string& relative);

  /// To be called before commit() where the run was interrupted. A finished result is not replaced
  /// by an interrupted one: if there is one, the target becomes `<name>.interrupted` beside it.
  /// Returns whether that is so.
  bool keep_finished();

  /// Moves the result into place, and lists its files in its meta_info.json. Of an earlier result
  /// the files that its run wrote are removed, all others stay. When the move fails, the new result
  /// is put beside the target and the OutputError says where.
  void commit();

  /// The same, but where a folder that may not be replaced has appeared there meanwhile, this one
  /// is dropped and false returned.
  bool commit_unless_there();

  /// After commit(): the text of meta_info.json.
  const std::string& meta_info() const { return meta_info_; }

  /// What the user should know: an earlier result that was recovered; after commit(), files that
  /// stayed in the folder.
  const Strings& notices() const { return notices_; }

 private:
  void list_files();
  void move_into_place();
  [[noreturn]] void keep_beside(const std::string& why);
  void replace_earlier();
  void carry_over(const std::filesystem::path& top, const std::filesystem::path& new_top,
                  const Strings& names);

  std::filesystem::path target_;
  std::string command_;
  bool force_;
  bool interrupted_ = false;
  std::unique_ptr<PrivateFolder> private_;
  std::string meta_info_;
  Strings notices_;
};

}  // namespace mkc::io
