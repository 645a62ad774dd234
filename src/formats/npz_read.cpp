#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/files.hpp"
#include "formats/npy_decode.hpp"
#include "formats/npz.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::string_view array_extension = ".npy";
constexpr ZipKind npz_kind{"NPZ file", "array",
                           "save it with numpy.savez or numpy.savez_compressed, or copy it again"};

}  // namespace

NpzReader::NpzReader(const std::string& path) : path_(path), archive_(path, npz_kind) {
  for (std::size_t index = 0; index < archive_.members().size(); ++index) {
    std::string name = archive_.members()[index].name;
    if (!name.ends_with(array_extension)) continue;  // others (a README, a folder) are skipped
    name.resize(name.size() - array_extension.size());
    if (!entries_.emplace(name, index).second)
      throw InputError(fmt::format("{}: two arrays are named '{}'", path, shown(name)));
    names_.push_back(std::move(name));
  }
  if (names_.empty())
    throw InputError(path + ": the NPZ file holds no arrays", "save it with numpy.savez");
}

std::size_t NpzReader::place_of(const std::string& name) const {
  const auto entry = entries_.find(name);
  if (entry == entries_.end())
    throw InputError(
        fmt::format("{} has no array '{}'{}", path_, shown(name), suggestion(name, names_)),
        "its arrays are " + shown(names_));
  return entry->second;
}

void NpzReader::copy(const std::string& name, const std::string& file) const {
  constexpr std::uint64_t bytes_per_block = std::uint64_t{1} << 20;
  ZipEntry bytes(archive_, place_of(name), path_ + ":" + shown(name));
  OutputFile out(file);
  std::string block;
  for (std::uint64_t left = bytes.size(); left > 0; left -= block.size()) {
    block.resize(std::min(left, bytes_per_block));
    bytes.read(block.data(), block.size());
    out.write(block);
  }
  bytes.finish();
  out.close();
}

Array NpzReader::read(const std::string& name) const {
  const std::string where = path_ + ":" + shown(name);
  ZipEntry bytes(archive_, place_of(name), where);
  Array array = decode_npy(
      {bytes.size(), [&](char* to, std::size_t count) { bytes.read(to, count); }}, where);
  bytes.finish();
  return array;
}

NamedArrays read_npz(const std::string& path) {
  const NpzReader file(path);
  NamedArrays arrays;
  for (const auto& name : file.names()) arrays.emplace_back(name, file.read(name));
  return arrays;
}

}  // namespace mkc::io
