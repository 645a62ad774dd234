#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mkc/base/types.hpp"

struct gzFile_s;  // zlib's open file

namespace mkc::io {

/// Lines of a plain or gzip-compressed text file, one at a time. Line ends may be LF or CRLF and
/// are not part of the line; a UTF-8 byte order mark is skipped. Throws InputError where the file
/// cannot be opened, is not text, is a damaged gzip file or has a line of more than 128 MiB; and
/// (see check_memory()) where its lines take more memory than there is.
class TextLines {
 public:
  explicit TextLines(const std::string& path);

  /// Lines of a text in memory, which comes from the file at this path.
  TextLines(std::string path, std::string text);

  /// The next line, valid until the next call; nothing at the end of the file.
  std::optional<std::string_view> next();

  /// The same without comments and blank lines (is_comment_or_blank).
  std::optional<std::string_view> next_row();

  /// Number of the line last returned, from 1.
  Index number() const { return number_; }
  std::string place() const;  // "map.csv, line 3"
  const std::string& path() const { return path_; }
  /// Not compressed, so that reading the file twice is cheap.
  bool is_plain() const;
  /// No more bytes than this are in all lines together.
  std::uint64_t most_bytes() const;

 private:
  struct Close {
    void operator()(gzFile_s* file) const noexcept;
  };

  void fill();
  void check_room() const;
  void make_room();
  void skip_byte_order_mark();
  void require_text(std::string_view block) const;

  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
  std::uint64_t file_size_ = 0;
  std::size_t block_size_ = 0;  // read at a time
  std::string buffer_;          // bytes [begin_, end_) are read but not yet returned
  std::size_t begin_ = 0, end_ = 0;
  std::size_t bytes_read_ = 0;
  double resident_before_ = 0;  // memory of the process when reading began
  bool at_end_ = false;
  Index number_ = 0;
};

}  // namespace mkc::io
