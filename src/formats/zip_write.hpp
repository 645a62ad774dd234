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
  void close();

 private:
  OutputFile file_;
  std::uint64_t largest_, at_ = 0, entries_ = 0;
  std::string directory_;
};

}  // namespace mkc::io
