#include "formats/text_lines.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "formats/cells.hpp"
#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::uint64_t smallest_block = 1 << 12, largest_block = 1 << 20;
constexpr std::size_t longest_line = std::size_t{1} << 27;
constexpr std::size_t bytes_without_check = std::size_t{1} << 22;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

void TextLines::Close::operator()(gzFile_s* file) const noexcept { gzclose(file); }

TextLines::TextLines(const std::string& path) : path_(path) {
  const int file = open_input(path);
  struct stat status{};
  fstat(file, &status);
  file_.reset(gzdopen(file, "rb"));
  if (!file_) {
    close(file);
    throw std::bad_alloc();
  }
  file_size_ = static_cast<std::uint64_t>(status.st_size);
  block_size_ = std::clamp(file_size_ + 1, smallest_block, largest_block);
  gzbuffer(file_.get(), static_cast<unsigned>(std::min<std::size_t>(block_size_, 1 << 16)));
  buffer_.resize(2 * block_size_);
  resident_before_ = resident_bytes();
  fill();
  skip_byte_order_mark();
}

TextLines::TextLines(std::string path, std::string text)
    : path_(std::move(path)), buffer_(std::move(text)), end_(buffer_.size()), at_end_(true) {}

bool TextLines::is_plain() const { return file_ && gzdirect(file_.get()) == 1; }

std::uint64_t TextLines::most_bytes() const {
  if (!file_) return buffer_.size();
  return is_plain() ? file_size_ : file_size_ * largest_deflate_ratio;
}

std::optional<std::string_view> TextLines::next() {
  for (std::size_t searched = 0;;) {
    const char* from = buffer_.data() + begin_;
    const std::size_t size = end_ - begin_;
    const void* newline =
        size == searched ? nullptr : std::memchr(from + searched, '\n', size - searched);
    if (!newline && !at_end_) {
      searched = size;
      fill();
      continue;
    }
    if (size == 0) return std::nullopt;
    std::size_t length =
        newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - from) : size;
    begin_ += newline ? length + 1 : length;
    if (length > 0 && from[length - 1] == '\r') --length;
    ++number_;
    return std::string_view(from, length);
  }
}

std::optional<std::string_view> TextLines::next_row() {
  while (const auto line = next())
    if (!is_comment_or_blank(*line)) return line;
  return std::nullopt;
}

std::string TextLines::place() const { return fmt::format("{}, line {}", path_, number_); }

/// Lines and their cells take more memory than the text, and a compressed file a thousand times its
/// size. The part that has been read shows what the rest will take.
void TextLines::check_room() const {
  if (bytes_read_ < bytes_without_check) return;
  double rest = static_cast<double>(buffer_.size());
  if (!is_plain()) {
    const double taken = resident_bytes() - resident_before_;
    const double share = static_cast<double>(gzoffset(file_.get())) / double(file_size_);
    if (share > 0 && share < 1)
      rest = std::max(rest, taken * (1 - share) / share / 2);  // a half: the rest may differ
  }
  check_memory(rest, fmt::format("{}: the lines after line {}", path_, number_));
}

void TextLines::fill() {
  check_room();
  make_room();
  const int got = gzread(file_.get(), buffer_.data() + end_, static_cast<unsigned>(block_size_));
  int code = Z_OK;
  const std::string message = gzerror(file_.get(), &code);
  if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    const std::string what = code == Z_ERRNO ? reason(errno)
                             : code == Z_BUF_ERROR
                                 ? "the gzip file is cut off"
                                 : fmt::format("the gzip file is damaged ({})", message);
    throw InputError(fmt::format("{}: {} after {} bytes of text", path_, what,
                                 bytes_read_ + static_cast<std::size_t>(std::max(got, 0))),
                     code == Z_ERRNO ? "" : "copy or download the file again");
  }
  at_end_ = static_cast<std::size_t>(got) < block_size_;
  require_text({buffer_.data() + end_, static_cast<std::size_t>(got)});
  end_ += static_cast<std::size_t>(got);
  bytes_read_ += static_cast<std::size_t>(got);
}

/// Moves the unread bytes to the front and enlarges the buffer where a line is longer.
void TextLines::make_room() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ > longest_line)
    throw InputError(
        fmt::format("{}, line {}: longer than {} MiB", path_, number_ + 1, longest_line >> 20),
        "a table has one line per row; is this one, with line ends?");
  if (buffer_.size() - end_ < block_size_) buffer_.resize(2 * buffer_.size());
}

void TextLines::skip_byte_order_mark() {
  const std::string_view start(buffer_.data(), std::min(end_, byte_order_mark.size()));
  if (start == byte_order_mark) begin_ = byte_order_mark.size();
}

void TextLines::require_text(std::string_view block) const {
  const std::size_t zero = block.find('\0');
  if (zero == std::string_view::npos) return;
  throw InputError(
      fmt::format("{}: not a text file: byte {} is zero", path_, bytes_read_ + zero + 1),
      "save the table as UTF-8 text (CSV or TSV), not as UTF-16 and not as a spreadsheet");
}

}  // namespace mkc::io
