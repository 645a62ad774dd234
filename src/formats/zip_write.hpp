#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "formats/files.hpp"

namespace mkc::io {

/// A ZIP archive of entries without compression, written from front to back. The same entries give
/// the same bytes. OutputError where writing fails; what was written before is no archive.
class ZipWriter {
 public:
  /// What is larger than `largest` gets the fields of ZIP64.
  explicit ZipWriter(const std::string& path, std::uint64_t largest = 0xFFFFFFFE);

  void add(const std::string& name, std::initializer_list<std::string_view> parts);

  /// An entry of `size` bytes that come one after the other.
  void begin(const std::string& name, std::uint64_t size) { begin(name, size, 0); }
  void append(std::string_view bytes);
  void end();

  void close();

 private:
  struct Entry {
    std::string name;
    std::uint64_t size = 0, place = 0, written = 0;
    unsigned long told = 0, sum = 0;  // check sum in the header, and that of the bytes so far
  };

  void begin(const std::string& name, std::uint64_t size, unsigned long sum);
  bool is_wide(const Entry& entry) const;
  std::string common_fields(const Entry& entry, unsigned long sum) const;

  OutputFile file_;
  Entry entry_;
  std::uint64_t largest_, at_ = 0, entries_ = 0;
  std::string directory_;
};

}  // namespace mkc::io
