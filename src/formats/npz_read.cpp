#include <unistd.h>
#include <zip.h>

#include <filesystem>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "formats/npy_decode.hpp"
#include "formats/npz.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::string_view array_extension = ".npy";

struct CloseEntry {
  void operator()(zip_file_t* entry) const noexcept { zip_fclose(entry); }
};
using Entry = std::unique_ptr<zip_file_t, CloseEntry>;

std::string zip_reason(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

ZipArchive open_archive(const std::string& path) {
  const int file = open_input(path);
  int code = 0;
  ZipArchive archive(zip_fdopen(file, 0, &code));
  if (archive) return archive;
  close(file);
  throw InputError(fmt::format("{}: not a complete NPZ file: {}", path, zip_reason(code)),
                   "save it with numpy.savez, or copy it again");
}

/// The claimed size of an entry must be possible for the bytes the file has for it.
void check_size(const zip_stat_t& info, const std::string& path, const std::string& where) {
  if (info.comp_method != ZIP_CM_STORE && info.comp_method != ZIP_CM_DEFLATE)
    throw InputError(
        fmt::format("{}: compression method {} is not supported", where, info.comp_method),
        "save with numpy.savez or numpy.savez_compressed");
  std::error_code error;
  const std::uintmax_t file_size = std::filesystem::file_size(path, error);
  const bool stored = info.comp_method == ZIP_CM_STORE;
  const std::uint64_t most = stored ? info.comp_size : (info.comp_size + 1) * largest_deflate_ratio;
  if (error || info.comp_size > file_size || info.size > most)
    throw InputError(fmt::format("{}: claims {} bytes in {} stored ones, the whole file has {}",
                                 where, info.size, info.comp_size, error ? 0 : file_size),
                     damaged);
}

[[noreturn]] void refuse_entry(zip_file_t* entry, const std::string& where) {
  const std::string what = zip_error_strerror(zip_file_get_error(entry));
  throw InputError(fmt::format("{}: the array cannot be read: {}", where, what), damaged);
}

void read_entry(zip_file_t* entry, const std::string& where, char* to, std::size_t count) {
  while (count > 0) {
    const zip_int64_t got = zip_fread(entry, to, count);
    if (got <= 0) refuse_entry(entry, where);
    to += got;
    count -= static_cast<std::size_t>(got);
  }
}

Array read_array(zip_t* archive, std::uint64_t index, const std::string& path,
                 const std::string& where) {
  zip_stat_t info;
  zip_stat_init(&info);
  if (zip_stat_index(archive, index, 0, &info) != 0)
    throw InputError(fmt::format("{}: {}", where, zip_strerror(archive)));
  check_size(info, path, where);
  const Entry entry(zip_fopen_index(archive, index, 0));
  if (!entry) throw InputError(fmt::format("{}: {}", where, zip_strerror(archive)));
  const auto read = [&](char* to, std::size_t count) { read_entry(entry.get(), where, to, count); };
  Array array = decode_npy({info.size, read}, where);
  char beyond = 0;  // reading past the end makes libzip compare the checksum
  if (zip_fread(entry.get(), &beyond, 1) != 0) refuse_entry(entry.get(), where);
  return array;
}

}  // namespace

void DiscardZip::operator()(zip* archive) const noexcept { zip_discard(archive); }

ZipArchive open_zip(const std::string& path, int flags, std::string& reason) {
  int code = 0;
  ZipArchive archive(zip_open(path.c_str(), flags, &code));
  if (!archive) reason = zip_reason(code);
  return archive;
}

NpzReader::NpzReader(const std::string& path) : path_(path), archive_(open_archive(path)) {
  const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const char* text = zip_get_name(archive_.get(), index, ZIP_FL_ENC_GUESS);
    std::string name = text ? text : "";
    if (!name.ends_with(array_extension)) continue;  // others (a README, a folder) are skipped
    name.resize(name.size() - array_extension.size());
    if (!entries_.emplace(name, index).second)
      throw InputError(fmt::format("{}: two arrays are named '{}'", path, shown(name)));
    names_.push_back(std::move(name));
  }
  if (names_.empty())
    throw InputError(path + ": the NPZ file holds no arrays", "save it with numpy.savez");
}

Array NpzReader::read(const std::string& name) const {
  const auto entry = entries_.find(name);
  if (entry == entries_.end())
    throw InputError(
        fmt::format("{} has no array '{}'{}", path_, shown(name), suggestion(name, names_)),
        "its arrays are " + shown(names_));
  return read_array(archive_.get(), entry->second, path_, path_ + ":" + shown(name));
}

NamedArrays read_npz(const std::string& path) {
  const NpzReader file(path);
  NamedArrays arrays;
  for (const auto& name : file.names()) arrays.emplace_back(name, file.read(name));
  return arrays;
}

}  // namespace mkc::io
