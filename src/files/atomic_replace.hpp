#pragma once

#include <filesystem>
#include <string>
#include <system_error>

/// Renaming so that a name always stands for a whole result, and writing through to the disk.
namespace mkc::io {

/// Writes a file or a folder's list of names through to the disk; OutputError where the disk
/// refuses. File systems that cannot do it are let off.
void sync_to_disk(const std::filesystem::path& path);

/// All folders of a tree, the deepest first.
void sync_folders(const std::filesystem::path& top);

/// Renames to a name that does not exist; the error `file_exists` where it does.
std::error_code rename_to_new(const std::filesystem::path& from, const std::filesystem::path& to);

/// Puts `from` in the place of the folder `to`. In one step where the file system can exchange two
/// names: what was at `to` is at `from` afterwards. Elsewhere in two steps: it is at `aside`
/// afterwards, and for a moment there is nothing at `to`.
std::error_code replace_folder(const std::filesystem::path& from, const std::filesystem::path& to,
                               const std::filesystem::path& aside);

/// Held while the result in a folder is replaced, so that runs that end at the same time take
/// turns. Not waited for longer than a few seconds: any process that may look into the folder can
/// hold it.
class TurnLock {
 public:
  explicit TurnLock(const std::filesystem::path& folder);
  ~TurnLock();
  TurnLock(const TurnLock&) = delete;
  TurnLock& operator=(const TurnLock&) = delete;

 private:
  int folder_;
};

/// A name beside `path` that nothing has: "out.word" or "out.word-2" for a folder "out",
/// "model.word.npz" for a file "model.npz".
std::filesystem::path free_name(const std::filesystem::path& path, const std::string& word,
                                bool is_folder);

}  // namespace mkc::io
