#include "mkc/files/pending_file.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "mkc/base/error.hpp"
#include "mkc/files/output_folder.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

PendingFile::PendingFile(const fs::path& target, bool force) : target_(target) { prepare(force); }

PendingFile::PendingFile(const fs::path& target, bool force, OutputFolder& folder)
    : target_(target) {
  const auto inside = folder.relative(target);
  in_folder_ = inside.has_value();
  if (in_folder_)
    partial_ = folder.path(*inside);
  else
    prepare(force);
}

void PendingFile::prepare(bool force) {
  std::error_code error;
  if (fs::is_directory(target_, error))
    throw OptionError(fmt::format("output '{}' is a folder", target_.string()),
                      "give the name of a file, such as kernels.npz");
  if (fs::exists(target_, error) && !force)
    throw OptionError(fmt::format("output '{}' exists", target_.string()),
                      {"choose another name", {"force", "", "replaces it"}});
  if (target_.has_parent_path()) fs::create_directories(target_.parent_path(), error);
  if (error) throw OutputError(target_.parent_path(), error.message());
  partial_ =
      target_.parent_path() / fmt::format(".{}.partial-{}", target_.filename().string(), getpid());
  write_text_file(partial_, "");  // can it be written?
}

PendingFile::~PendingFile() {
  std::error_code ignored;
  if (!in_folder_) fs::remove(partial_, ignored);
}

void PendingFile::commit() {
  if (in_folder_) return;
  std::error_code error;
  fs::rename(partial_, target_, error);
  if (error) throw OutputError(target_, error.message());
}

}  // namespace mkc::io
