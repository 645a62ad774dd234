#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "mkc/factor/arrays.hpp"

namespace mkc::io {

/// The hidden folder `.<name>.checkpoint` beside a target, in which a long run keeps what it has
/// finished: killed at any moment, the same run goes on from there. Only this user may look into
/// it. A lock tells that its owner is alive; it ends with the process. A run that ends by an error
/// before it has finished a part leaves no folder.
class Checkpoint {
 public:
  /// `key`: a digest of all that decides the result. What a run with another key left is removed.
  /// OptionError where another process works on the same target, OutputError where the place cannot
  /// be written.
  Checkpoint(const std::filesystem::path& target, const std::string& key);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// Whether an earlier run with this key left anything.
  bool resumes() const { return resumes_; }

  /// A new name in the folder, for files that nobody needs after this run.
  std::string scratch();

  /// Keeps an object under a name, whole or not at all.
  void save(const std::string& name, const factor::Arrays& object);

  /// Nothing where there is none, or where it is damaged.
  std::optional<factor::Arrays> load(const std::string& name) const;

  /// The folder is no longer needed.
  void remove() noexcept;

 private:
  void prepare(const std::string& key);
  bool keeps_anything() const;

  std::filesystem::path path_;
  int lock_ = -1;
  int next_ = 0;
  bool resumes_ = false;
};

}  // namespace mkc::io
