#include "formats/zip_read.hpp"

#include <unistd.h>
#include <zip.h>

#include <filesystem>

#include <fmt/format.h>

#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

std::string zip_reason(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

/// The claimed size of an entry must be possible for the bytes the file has for it.
void check_size(const zip_stat_t& info, const std::string& path, const std::string& where,
                const ZipKind& kind) {
  if (info.comp_method != ZIP_CM_STORE && info.comp_method != ZIP_CM_DEFLATE)
    throw InputError(
        fmt::format("{}: compression method {} is not supported", where, info.comp_method),
        kind.hint);
  std::error_code error;
  const std::uintmax_t file_size = std::filesystem::file_size(path, error);
  const bool stored = info.comp_method == ZIP_CM_STORE;
  const std::uint64_t most = stored ? info.comp_size : (info.comp_size + 1) * largest_deflate_ratio;
  if (error || info.comp_size > file_size || info.size > most)
    throw InputError(fmt::format("{}: claims {} bytes in {} stored ones, the whole file has {}",
                                 where, info.size, info.comp_size, error ? 0 : file_size),
                     damaged);
}

}  // namespace

void DiscardZip::operator()(zip* archive) const noexcept { zip_discard(archive); }

ZipArchive open_zip(const std::string& path, int flags, std::string& reason) {
  int code = 0;
  ZipArchive archive(zip_open(path.c_str(), flags, &code));
  if (!archive) reason = zip_reason(code);
  return archive;
}

ZipArchive open_zip_input(const std::string& path, const ZipKind& kind) {
  const int file = open_input(path);
  int code = 0;
  ZipArchive archive(zip_fdopen(file, 0, &code));
  if (archive) return archive;
  close(file);
  throw InputError(fmt::format("{}: not a complete {}: {}", path, kind.file, zip_reason(code)),
                   kind.hint);
}

Strings zip_names(zip* archive) {
  Strings names;
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* text = zip_get_name(archive, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_GUESS);
    names.emplace_back(text ? text : "");
  }
  return names;
}

void ZipEntry::Close::operator()(zip_file* entry) const noexcept { zip_fclose(entry); }

ZipEntry::ZipEntry(zip* archive, std::uint64_t index, const std::string& path, std::string where,
                   const ZipKind& kind)
    : where_(std::move(where)), kind_(kind) {
  zip_stat_t info;
  zip_stat_init(&info);
  if (zip_stat_index(archive, index, 0, &info) != 0)
    throw InputError(fmt::format("{}: {}", where_, zip_strerror(archive)));
  check_size(info, path, where_, kind);
  size_ = info.size;
  entry_.reset(zip_fopen_index(archive, index, 0));
  if (!entry_) throw InputError(fmt::format("{}: {}", where_, zip_strerror(archive)));
}

void ZipEntry::read(char* to, std::size_t count) {
  while (count > 0) {
    const zip_int64_t got = zip_fread(entry_.get(), to, count);
    if (got <= 0) fail();
    to += got;
    count -= static_cast<std::size_t>(got);
  }
}

void ZipEntry::finish() {
  char beyond = 0;  // reading past the end makes libzip compare the checksum
  if (zip_fread(entry_.get(), &beyond, 1) != 0) fail();
}

void ZipEntry::fail() const {
  const std::string what = zip_error_strerror(zip_file_get_error(entry_.get()));
  throw InputError(fmt::format("{}: the {} cannot be read: {}", where_, kind_.entry, what),
                   damaged);
}

}  // namespace mkc::io
