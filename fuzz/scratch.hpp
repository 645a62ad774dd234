#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace mkc::fuzz {

/// Files in a folder that is removed at the end of the process, in memory where the system has
/// that.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Writes the file anew and returns its path; the folder it is in must exist.
  std::string write(const std::string& name, std::string_view bytes) const;
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  pid_t owner_ = 0;
};

std::string read_file(const std::string& path);
std::vector<std::string> lines_of(const std::string& text);

}  // namespace mkc::fuzz
