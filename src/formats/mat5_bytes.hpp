#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

/// Data elements, of which a MATLAB 5 file consists: a tag (type, size) and data, padded to 8
/// bytes.
namespace mkc::io {

enum Mat5Type : std::uint32_t {
  mi_int8 = 1,
  mi_uint8 = 2,
  mi_int16 = 3,
  mi_uint16 = 4,
  mi_int32 = 5,
  mi_uint32 = 6,
  mi_single = 7,
  mi_double = 9,
  mi_int64 = 12,
  mi_uint64 = 13,
  mi_matrix = 14,
  mi_compressed = 15,
  mi_utf8 = 16,
  mi_utf16 = 17,
  mi_utf32 = 18,
};

enum Mat5Class : std::uint32_t {
  mx_cell = 1,
  mx_char = 4,
  mx_sparse = 5,
  mx_double = 6,
  mx_uint64 = 15,
  mx_opaque = 17,
};

constexpr std::size_t mat5_header_size = 128;

struct Mat5Element {
  std::uint32_t type = 0;
  std::string_view data;
  std::uint64_t byte = 0;  // where the data begin
};

/// Reads elements from front to back and never past the end; InputError names the byte.
class Mat5Reader {
 public:
  /// `first_byte` is the place of `bytes` in the file; `where` names the source in messages.
  Mat5Reader(std::string_view bytes, std::uint64_t first_byte, const std::string& where)
      : bytes_(bytes), first_byte_(first_byte), where_(where) {}

  bool done() const { return at_ == bytes_.size(); }
  std::size_t left() const { return bytes_.size() - at_; }
  Mat5Element next();

  std::string place() const;  // "file.mat, byte 136"
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string_view take(std::size_t count, const char* part);

  std::string_view bytes_;
  std::uint64_t first_byte_;
  const std::string& where_;
  std::size_t at_ = 0;
};

/// Bytes per number of an element type and its kind ('f', 'i', 'u'); size 0 for other types.
struct Mat5Number {
  char kind;
  std::uint64_t size;
};
Mat5Number mat5_number(std::uint32_t type);

/// The content of a compressed element, without its tag. The tag gives the size, which must be
/// possible; pages are used only for the bytes that are there.
struct Inflated {
  std::unique_ptr<char[]> bytes;
  std::size_t size;

  std::string_view text() const { return {bytes.get(), size}; }
};
Inflated inflate_mat5(const Mat5Element& element, const std::string& where);

}  // namespace mkc::io
