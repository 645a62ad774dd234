#pragma once

#include "mkc/files/result_folder.hpp"

namespace mkc::io {

/// The input files of a run and the SHA-256 of the bytes that are read from them between
/// construction and confirmed().
class InputRecord {
 public:
  explicit InputRecord(const Strings& paths);

  /// The files as they were at construction.
  std::vector<InputFile> files() const;

  /// InputError where a file changed, or another took its place, since construction.
  std::vector<InputFile> confirmed() const;

 private:
  /// The time of the last change of the inode shows that a file was changed and put back. The hash
  /// shows what a coarse clock or a writer through mapped memory hides.
  struct State {
    std::uint64_t size = 0;
    std::int64_t modified = 0, changed = 0;  // nanoseconds
    std::string sha256;

    bool operator==(const State&) const = default;
  };
  static State state_of(const std::string& path);

  Strings paths_;
  std::vector<State> states_;
};

}  // namespace mkc::io
