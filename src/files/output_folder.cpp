#include "mkc/files/output_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/atomic_replace.hpp"
#include "files/earlier_result.hpp"
#include "files/private_folder.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_to_replace(const fs::path& target, const std::string& why) {
  throw OptionError(fmt::format("output folder '{}' is not replaced: {}", target.string(), why),
                    "choose another name, or empty the folder yourself");
}

/// OptionError where the target exists and may not be replaced.
void check_target(const fs::path& target, const std::string& command, bool force) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(target, error);
  if (status.type() == fs::file_type::not_found) return;
  if (!fs::status_known(status)) throw OutputError(target, error.message());
  if (!fs::is_directory(status))
    throw OptionError(fmt::format("output '{}' exists and is not a folder", target.string()),
                      "choose another name");
  if (!force)
    throw OptionError(fmt::format("output folder '{}' exists", target.string()),
                      {"choose another name", {"force", "", "replaces it"}});
  if (fs::is_empty(target, error)) return;
  if (!fs::exists(target / "meta_info.json", error))
    refuse_to_replace(target,
                      "it is neither empty nor an earlier result (no meta_info.json in it)");
  const std::string earlier = EarlierResult(target).command();
  if (earlier.empty()) refuse_to_replace(target, "its meta_info.json was not written by mkc");
  if (earlier != command)
    refuse_to_replace(target, fmt::format("it is a result of 'mkc {}', not of 'mkc {}'",
                                          printable(earlier), command));
}

/// The target as an absolute path without links, '..' and a slash at its end.
fs::path resolved(const fs::path& target) {
  if (target.empty())
    throw OptionError("the name of the output folder is empty", "choose another name");
  std::error_code error;
  fs::path path = fs::weakly_canonical(fs::absolute(target), error);
  if (error) throw OutputError(target, error.message());
  path = path.lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  if (!path.has_filename())
    throw OptionError(fmt::format("'{}' cannot be an output folder", target.string()),
                      "choose another name");
  return path;
}

/// All files and links of a folder, relative to it, sorted.
Strings files_in(const fs::path& folder) {
  Strings names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!fs::is_directory(entry.symlink_status()))
      names.push_back(entry.path().lexically_relative(folder).string());
  std::sort(names.begin(), names.end());
  return names;
}

/// What a file is, whatever its names are; zeros where there is none.
using FileIdentity = std::pair<dev_t, ino_t>;
FileIdentity identity_of(const fs::path& path, int (*get)(const char*, struct stat*)) {
  struct stat about{};
  if (get(path.c_str(), &about) != 0) return {};
  return {about.st_dev, about.st_ino};
}

/// The same file under a second name, or a copy where the file system has no second names.
void link_or_copy(const fs::path& from, const fs::path& to) {
  if (link(from.c_str(), to.c_str()) != 0) fs::copy(from, to, fs::copy_options::copy_symlinks);
}

bool is_folder(const fs::path& path) { return fs::is_directory(fs::symlink_status(path)); }

}  // namespace

void write_text_file(const fs::path& path, std::string_view text) {
  OutputFile file(path.string());
  file.write(text);
  file.close();
}

OutputFolder::OutputFolder(const fs::path& target, std::string command, bool force)
    : target_(resolved(target)), command_(std::move(command)), force_(force) {
  if (const std::string notice = clean_up_beside(target_); !notice.empty()) {
    notices_.push_back(notice);
    if (!force_) throw OptionError(notice, {"choose another name", {"force", "", "replaces it"}});
  }
  check_target(target_, command_, force_);
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
  if (error) throw OutputError(target_.parent_path(), error.message());
  private_ = std::make_unique<PrivateFolder>(target_);
  fs::create_directory(private_->content(), error);
  if (error) throw OutputError(private_->content(), error.message());
}

OutputFolder::~OutputFolder() = default;

std::optional<std::string> OutputFolder::relative(const fs::path& file) const {
  // Links inside an earlier result are replaced with it: only links above the folder are followed.
  const fs::path whole = fs::absolute(file).lexically_normal();
  for (fs::path above = whole.parent_path(); above != above.root_path();
       above = above.parent_path()) {
    std::error_code error;
    if (fs::weakly_canonical(above, error) == target_ && !error)
      return whole.lexically_relative(above).string();
  }
  return std::nullopt;
}

std::optional<std::string> OutputFolder::first_inside(const Strings& files) const {
  if (!fs::exists(target_)) return std::nullopt;
  std::set<FileIdentity> inside;
  for (const auto& name : files_in(target_)) inside.insert(identity_of(target_ / name, lstat));
  const FileIdentity folder = identity_of(target_, stat);
  const auto is_below = [&](const fs::path& file) {
    fs::path above = fs::absolute(file).lexically_normal();
    while (above != above.root_path()) {
      above = above.parent_path();
      if (identity_of(above, stat) == folder) return true;
    }
    return false;
  };
  const auto leads_inside = [&](const fs::path& file) {
    constexpr int most_links = 40;  // as many as the kernel follows
    fs::path step = file;
    for (int links = 0; links < most_links; ++links) {
      if (is_below(step)) return true;
      std::error_code error;
      const fs::path next = fs::read_symlink(step, error);
      if (error) break;
      step = step.parent_path() / next;
    }
    const FileIdentity identity = identity_of(file, stat);
    return identity != FileIdentity() && inside.contains(identity);
  };
  const auto found = std::find_if(files.begin(), files.end(), leads_inside);
  return found == files.end() ? std::nullopt : std::optional(*found);
}

fs::path OutputFolder::path(const std::string& relative) {
  const fs::path inside = fs::path(relative).lexically_normal();
  if (relative.empty() || relative.find('\0') != std::string::npos || inside.is_absolute() ||
      *inside.begin() == ".." || !inside.has_filename() || inside == ".")
    throw InputError(fmt::format("'{}' is not a file inside the output folder", shown(relative)));
  const fs::path file = private_->content() / inside;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) throw OutputError(file.parent_path(), error.message());
  return file;
}

bool OutputFolder::keep_finished() {
  interrupted_ = true;
  const EarlierResult earlier(target_);
  if (earlier.command().empty() || earlier.interrupted()) return false;
  target_ = free_name(target_, "interrupted", true);
  force_ = false;
  return true;
}

void OutputFolder::commit() {
  try {
    list_files();
    move_into_place();
  } catch (const std::exception& error) {
    keep_beside(error.what());
  }
  sync_to_disk(target_.parent_path());
  private_->remove();
}

bool OutputFolder::commit_unless_there() {
  if (force_) {
    commit();
    return true;
  }
  std::error_code error;
  try {
    list_files();
    sync_folders(private_->content());
    error = rename_to_new(private_->content(), target_);
  } catch (const std::exception& failure) {
    keep_beside(failure.what());
  }
  const bool there = error == std::errc::file_exists;
  if (error && !there) keep_beside(error.message());
  sync_to_disk(target_.parent_path());
  private_->remove();
  return !there;
}

void OutputFolder::keep_beside(const std::string& why) {
  const fs::path beside = free_name(target_, "finished", true);
  const bool moved = !rename_to_new(private_->content(), beside);
  const fs::path place = moved ? beside : private_->content();
  if (!moved) private_->abandon();
  throw OutputError(target_,
                    fmt::format("{}; the finished result stays in '{}'", why, place.string()));
}

void OutputFolder::list_files() {
  const fs::path content = private_->content(), meta = content / "meta_info.json";
  const Strings files = files_in(content);
  if (std::find(files.begin(), files.end(), "meta_info.json") != files.end()) {
    meta_info_ = with_files(read_whole_file(meta), command_, files);
    write_text_file(meta, meta_info_);
  }
  for (const auto& file : files) sync_to_disk(content / file);
}

void OutputFolder::move_into_place() {
  const TurnLock turn(target_.parent_path());
  check_target(target_, command_, force_);
  if (fs::exists(target_)) return replace_earlier();
  sync_folders(private_->content());
  if (const std::error_code error = rename_to_new(private_->content(), target_))
    throw std::runtime_error(error.message());
}

void OutputFolder::replace_earlier() {
  const EarlierResult earlier(target_);
  if (interrupted_ && !earlier.command().empty() && !earlier.interrupted())
    throw std::runtime_error("another run wrote a finished result there meanwhile");
  const fs::path content = private_->content(), aside = private_->aside();
  const Strings foreign = foreign_files(target_, earlier);
  carry_over(target_, content, foreign);
  sync_folders(content);
  if (const std::error_code error = replace_folder(content, target_, aside))
    throw std::runtime_error(error.message());
  // Files that others wrote into the folder since.
  const fs::path old = fs::exists(aside) ? aside : content;
  Strings late;
  std::ranges::set_difference(foreign_files(old, earlier), foreign, std::back_inserter(late));
  carry_over(old, target_, late);
}

void OutputFolder::carry_over(const fs::path& top, const fs::path& new_top, const Strings& names) {
  std::map<fs::path, fs::path> places;                  // of the entries so far
  std::vector<std::pair<fs::path, fs::perms>> folders;  // permissions last: some forbid writing
  Strings kept;
  for (const auto& name : names) {
    fs::path from = top, to = new_top;
    for (const auto& part : fs::path(name)) {
      from /= part;
      to /= part;
      if (const auto known = places.find(from); known != places.end()) {
        to = known->second;
        continue;
      }
      // The new result has a file of this name, or this is a file where it has a folder.
      if (fs::exists(fs::symlink_status(to)) && !(is_folder(from) && is_folder(to)))
        to = free_name(to, "kept", is_folder(from));
      if (!is_folder(from))
        link_or_copy(from, to);
      else if (fs::create_directory(to))
        folders.emplace_back(to, fs::status(from).permissions());
      places.emplace(from, to);
    }
    const std::string now = to.lexically_relative(new_top).string();
    kept.push_back(now == name ? name : fmt::format("{} (now {})", name, now));
  }
  for (const auto& [folder, permissions] : folders) fs::permissions(folder, permissions);
  if (!kept.empty())
    notices_.push_back(fmt::format("kept in '{}', not written by the earlier run: {}",
                                   target_.string(), shown(kept)));
}

}  // namespace mkc::io
