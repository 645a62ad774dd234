#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "mkc/base/types.hpp"

struct zip;       // libzip's open archive
struct zip_file;  // an entry of it

namespace mkc::io {

struct DiscardZip {
  void operator()(zip* archive) const noexcept;
};
using ZipArchive = std::unique_ptr<zip, DiscardZip>;

/// An archive opened with flags of libzip, or null and the reason.
ZipArchive open_zip(const std::string& path, int flags, std::string& reason);

/// What a ZIP archive holds, in the words of messages.
struct ZipKind {
  const char* file;   // "NPZ file"
  const char* entry;  // "array"
  const char* hint;   // how such a file is written
};

/// An archive opened for reading; InputError where it is none.
ZipArchive open_zip_input(const std::string& path, const ZipKind& kind);

/// The names of all entries, in the order of the file.
Strings zip_names(zip* archive);

/// An entry that is read from front to back. InputError, which begins with `where`, for other
/// compression than deflate, a size that is impossible for the bytes of the file, and damage.
class ZipEntry {
 public:
  ZipEntry(zip* archive, std::uint64_t index, const std::string& path, std::string where,
           const ZipKind& kind);

  std::uint64_t size() const { return size_; }
  void read(char* to, std::size_t count);
  void finish();  // after the last byte: compares the checksum

 private:
  struct Close {
    void operator()(zip_file* entry) const noexcept;
  };
  [[noreturn]] void fail() const;

  std::string where_;
  const ZipKind& kind_;
  std::uint64_t size_ = 0;
  std::unique_ptr<zip_file, Close> entry_;
};

}  // namespace mkc::io
