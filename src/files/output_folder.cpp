#include "mkc/files/output_folder.hpp"

#include <unistd.h>

#include <cerrno>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

bool is_earlier_result(const fs::path& folder) {
  std::error_code error;
  return fs::is_empty(folder, error) || fs::is_regular_file(folder / "meta_info.json", error);
}

/// OptionError where the target exists and may not be replaced.
void check_target(const fs::path& target, bool force) {
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
  if (!is_earlier_result(target))
    throw OptionError(
        fmt::format("output folder '{}' is not replaced: it is neither empty nor an earlier result"
                    " (no meta_info.json in it)",
                    target.string()),
        "choose another name, or empty the folder yourself");
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

/// A new hidden folder ".<name>.<word>-<pid>" beside the target.
fs::path make_sibling(const fs::path& target, const std::string& word) {
  const std::string base = fmt::format(".{}.{}-{}", target.filename().string(), word, getpid());
  for (int attempt = 1;; ++attempt) {
    const fs::path path =
        target.parent_path() / (attempt == 1 ? base : fmt::format("{}-{}", base, attempt));
    std::error_code error;
    if (fs::create_directory(path, error)) return path;
    if (error) throw OutputError(path, error.message());
  }
}

}  // namespace

void write_text_file(const fs::path& path, std::string_view text) {
  OutputFile file(path.string());
  file.write(text);
  file.close();
}

OutputFolder::OutputFolder(const fs::path& target, bool force)
    : target_(resolved(target)), force_(force) {
  check_target(target_, force_);
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
  if (error) throw OutputError(target_.parent_path(), error.message());
  partial_ = make_sibling(target_, "partial");
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!keep_) fs::remove_all(partial_, ignored);
}

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

fs::path OutputFolder::path(const std::string& relative) {
  const fs::path inside = fs::path(relative).lexically_normal();
  if (relative.empty() || relative.find('\0') != std::string::npos || inside.is_absolute() ||
      *inside.begin() == ".." || !inside.has_filename() || inside == ".")
    throw InputError(fmt::format("'{}' is not a file inside the output folder", shown(relative)));
  const fs::path file = partial_ / inside;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) throw OutputError(file.parent_path(), error.message());
  return file;
}

void OutputFolder::commit() {
  keep_ = true;
  try {
    check_target(target_, force_);
    copy_others();
    set_aside_and_move();
  } catch (const std::exception& error) {
    throw OutputError(target_, fmt::format("{}; the finished result stays in '{}'", error.what(),
                                           partial_.string()));
  }
}

void OutputFolder::copy_others() {
  if (!is_own_ || !fs::exists(target_)) return;
  for (const auto& entry : fs::directory_iterator(target_)) {
    const fs::path name = entry.path().filename();
    if (!is_own_(name.string()) && !fs::exists(partial_ / name))
      fs::copy(entry.path(), partial_ / name,
               fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  }
}

void OutputFolder::set_aside_and_move() {
  std::error_code error, ignored;
  const bool replaces = fs::exists(target_);
  const fs::path old = replaces ? make_sibling(target_, "old") : fs::path();
  if (replaces) fs::rename(target_, old, error);
  if (!error) {
    fs::rename(partial_, target_, error);
    if (error && replaces) fs::rename(old, target_);
  }
  if (error) {
    if (replaces) fs::remove(old, ignored);  // only where it is still empty
    throw std::runtime_error(error.message());
  }
  // The new result is in place: failing to remove the old one is no error.
  if (replaces) fs::remove_all(old, ignored);
}

}  // namespace mkc::io
