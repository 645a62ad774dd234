#include "mkc/files/pending_file.hpp"

#include <fmt/format.h>

#include "files/atomic_replace.hpp"
#include "files/private_folder.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/output_folder.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

PendingFile::PendingFile(const fs::path& target, bool force) : target_(target), force_(force) {
  prepare();
}

PendingFile::PendingFile(const fs::path& target, bool force, OutputFolder& folder)
    : target_(target), force_(force) {
  if (const auto inside = folder.relative(target)) {
    folder_ = &folder;
    inside_ = *inside;
    partial_ = folder.path(inside_);
  } else {
    prepare();
  }
}

void PendingFile::prepare() {
  place_ = fs::absolute(target_);
  clean_up_beside(place_);
  std::error_code error;
  if (fs::is_directory(place_, error))
    throw OptionError(fmt::format("output '{}' is a folder", target_.string()),
                      "give the name of a file, such as kernels.npz");
  const bool there = fs::exists(place_, error);
  if (there && !fs::is_regular_file(place_, error))
    throw OptionError(fmt::format("output '{}' is a pipe, socket or device", target_.string()),
                      "give the name of a file: outputs appear whole, under their name");
  if (there && !force_)
    throw OptionError(fmt::format("output '{}' exists", target_.string()),
                      {"choose another name", {"force", "", "replaces it"}});
  fs::create_directories(place_.parent_path(), error);
  if (error) throw OutputError(target_.parent_path(), error.message());
  private_ = std::make_unique<PrivateFolder>(place_);
  partial_ = private_->content();
}

PendingFile::~PendingFile() = default;

void PendingFile::keep_finished() {
  std::error_code ignored;
  if (folder_ != nullptr) {
    target_ = folder_->target() / inside_;
  } else if (fs::exists(fs::symlink_status(place_, ignored))) {
    place_ = free_name(place_, "interrupted", false);
    target_.replace_filename(place_.filename());
    force_ = false;
  }
}

void PendingFile::commit() {
  if (folder_ != nullptr) return;
  sync_to_disk(partial_);
  std::error_code error;
  if (force_)
    fs::rename(partial_, place_, error);
  else
    error = rename_to_new(partial_, place_);
  if (error) keep_beside(error);
  sync_to_disk(place_.parent_path());
  private_->remove();
}

bool PendingFile::commit_unless_there() {
  if (force_) {
    commit();
    return true;
  }
  sync_to_disk(partial_);
  const std::error_code error = rename_to_new(partial_, place_);
  const bool there = error == std::errc::file_exists;
  if (error && !there) keep_beside(error);
  sync_to_disk(place_.parent_path());
  private_->remove();
  return !there;
}

void PendingFile::keep_beside(const std::error_code& error) {
  const fs::path beside = free_name(place_, "finished", false);
  const bool moved = !rename_to_new(partial_, beside);
  if (!moved) private_->abandon();
  throw OutputError(target_, fmt::format("{}; the finished file stays in '{}'", error.message(),
                                         (moved ? beside : partial_).string()));
}

}  // namespace mkc::io
