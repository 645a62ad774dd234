#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/files.hpp"

struct z_stream_s;  // of zlib

namespace mkc::io {

/// What a ZIP archive holds, in the words of messages.
struct ZipKind {
  const char* file;   // "NPZ file"
  const char* entry;  // "array"
  const char* hint;   // how such a file is written
};

/// An entry as the directory of the archive has it.
struct ZipMember {
  std::string name;  // its bytes
  std::uint32_t flags, method, sum;
  std::uint64_t size, packed, header;  // bytes; of these in the file; where its header is
};

/// A ZIP archive, with ZIP64, opened for reading. InputError where it is none, or is cut off.
class ZipReader {
 public:
  ZipReader(const std::string& path, const ZipKind& kind);

  const std::vector<ZipMember>& members() const {
    return members_;
  }  // in the order of the directory

 private:
  friend class ZipEntry;
  struct Directory {
    std::uint64_t entries, size, at;
  };
  Directory find_directory() const;
  std::string bytes(std::uint64_t at, std::uint64_t count) const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  const ZipKind& kind_;
  FileDescriptor file_;
  std::uint64_t size_;
  std::vector<ZipMember> members_;
};

/// An entry that is read from front to back. InputError, which begins with `where`, for a password,
/// other compression than deflate, a size that is impossible for the bytes of the file, and damage.
class ZipEntry {
 public:
  ZipEntry(const ZipReader& archive, std::size_t index, std::string where);

  std::uint64_t size() const { return member_.size; }
  void read(char* to, std::size_t count);
  void finish();  // after the last byte: compares the checksum

 private:
  struct EndInflate {
    void operator()(z_stream_s* stream) const noexcept;
  };
  void check_size() const;
  void find_data();
  void take(char* to, std::size_t count);
  std::size_t inflate_some(char* to, std::size_t count);
  [[noreturn]] void fail(std::string_view why) const;

  const ZipReader& archive_;
  const ZipMember& member_;
  std::string where_;
  std::uint64_t at_ = 0, left_ = 0;  // bytes in the file that were not read yet
  unsigned long sum_ = 0;
  std::string input_;  // of inflate
  std::unique_ptr<z_stream_s, EndInflate> stream_;
};

}  // namespace mkc::io
