#include "mkc/io/pending_file.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "mkc/error.hpp"
#include "mkc/io/output_folder.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

PendingFile::PendingFile(const fs::path& target, bool force) : target_(target) {
  std::error_code error;
  if (fs::is_directory(target_, error))
    throw OptionError(fmt::format("output '{}' is a folder", target_.string()),
                      "give the name of a file: -o kernels.npz");
  if (fs::exists(target_, error) && !force)
    throw OptionError(fmt::format("output '{}' exists", target_.string()),
                      "choose another -o or add --force");
  partial_ =
      target_.parent_path() / fmt::format(".{}.partial-{}", target_.filename().string(), getpid());
}

PendingFile::~PendingFile() {
  std::error_code ignored;
  fs::remove(partial_, ignored);
}

void PendingFile::commit() {
  std::error_code error;
  fs::rename(partial_, target_, error);
  if (error) throw OutputError(target_, error.message());
}

}  // namespace mkc::io
