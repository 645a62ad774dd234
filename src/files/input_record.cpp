#include "files/input_record.hpp"

#include <sys/stat.h>

#include <fmt/format.h>

#include "formats/files.hpp"
#include "formats/sha256.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

InputRecord::State InputRecord::state_of(const std::string& path) {
  const FilePointer file = open_for_reading(path);
  struct stat status{};
  fstat(fileno(file.get()), &status);
  return {static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim), sha256_of_file(file.get(), path)};
}

InputRecord::InputRecord(const Strings& paths) : paths_(paths) {
  for (const auto& path : paths_) states_.push_back(state_of(path));
}

std::vector<InputFile> InputRecord::files() const {
  std::vector<InputFile> files;
  for (std::size_t i = 0; i < paths_.size(); ++i) files.push_back({paths_[i], states_[i].sha256});
  return files;
}

std::vector<InputFile> InputRecord::confirmed() const {
  for (std::size_t i = 0; i < paths_.size(); ++i)
    if (state_of(paths_[i]) != states_[i])
      throw InputError(fmt::format("'{}' changed while it was read", paths_[i]),
                       "run again when nothing writes to it");
  return files();
}

}  // namespace mkc::io
