#include "formats/files.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "formats/dense_size.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

constexpr int most_neighbours = 1000;

/// Names beside a missing file, for a suggestion.
Strings names_beside(const fs::path& path) {
  Strings names;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
    if (names.size() >= most_neighbours) break;
  }
  return names;
}

}  // namespace

std::string reason(int error_number) {
  return error_number == 0 ? "unknown reason" : std::generic_category().message(error_number);
}

void cannot_open(const std::string& path, int error_number) {
  throw InputError(
      fmt::format("cannot open '{}': {}", path, reason(error_number)),
      error_number == EACCES ? "check the permissions of the file and its folder" : "");
}

void require_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    const std::string name = fs::path(path).filename().string();
    throw InputError(
        fmt::format("cannot open '{}': no such file{}", path, suggestion(name, names_beside(path))),
        "check the spelling and the current folder");
  }
  if (!fs::status_known(status)) cannot_open(path, error.value());
  if (fs::is_directory(status))
    throw InputError(fmt::format("cannot read '{}': it is a folder, not a file", path),
                     "name one file inside it");
}

bool has_extension(std::string_view path, std::string_view extension) {
  return lower(path).ends_with(extension);
}

FilePointer open_for_reading(const std::string& path) {
  require_file(path);
  FilePointer file(std::fopen(path.c_str(), "rb"));
  if (!file) cannot_open(path, errno);
  return file;
}

ByteSource file_bytes(const std::string& path) {
  const std::shared_ptr<std::FILE> file = open_for_reading(path);
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) cannot_open(path, error.value());
  return {size, [file, path](char* to, std::size_t count) {
            errno = 0;
            if (std::fread(to, 1, count, file.get()) == count) return;
            throw InputError(
                fmt::format("cannot read '{}': {}", path,
                            std::ferror(file.get()) ? reason(errno) : "the file became shorter"));
          }};
}

std::string read_whole_file(const std::string& path) {
  const ByteSource source = file_bytes(path);
  check_dense_size(source.size / sizeof(double), 1, path);
  std::string bytes(source.size, '\0');
  source.read(bytes.data(), bytes.size());
  return bytes;
}

OutputFile::OutputFile(const std::string& path)
    : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) throw OutputError(path_, reason(errno));
}

void OutputFile::write(std::string_view bytes) {
  if (bytes.empty()) return;
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    throw OutputError(path_, reason(errno));
}

void OutputFile::close() {
  errno = 0;
  const bool had_error = std::ferror(file_.get()) != 0;
  if (std::fclose(file_.release()) != 0 || had_error) throw OutputError(path_, reason(errno));
}

}  // namespace mkc::io
