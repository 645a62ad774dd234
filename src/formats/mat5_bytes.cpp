#include "formats/mat5_bytes.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::size_t tag_size = 8;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof(number));
  return number;
}

/// The state of zlib, freed at the end of the scope.
class Inflater {
 public:
  Inflater(std::string_view input, std::uint64_t byte, const std::string& where)
      : byte_(byte), where_(where) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());  // tags hold 32 bits
    if (inflateInit(&stream_) != Z_OK) fail("zlib did not start");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void read(char* to, std::size_t count) {
    while (count > 0) {
      const auto step = static_cast<uInt>(std::min<std::size_t>(count, 1u << 30));
      stream_.next_out = reinterpret_cast<Bytef*>(to);
      stream_.avail_out = step;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      const std::size_t got = step - stream_.avail_out;
      if (code != Z_OK && code != Z_STREAM_END) fail(stream_.msg ? stream_.msg : "cut off");
      if (got == 0) fail("cut off");
      to += got;
      count -= got;
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(
        fmt::format("{}: the variable compressed at byte {} is damaged: {}", where_, byte_, what),
        damaged);
  }

  z_stream stream_{};
  std::uint64_t byte_;
  const std::string& where_;
};

}  // namespace

std::string Mat5Reader::place() const {
  return fmt::format("{}, byte {}", where_, first_byte_ + at_);
}

void Mat5Reader::fail(const std::string& what) const {
  throw InputError(fmt::format("{}: {}", place(), what), damaged);
}

std::string_view Mat5Reader::take(std::size_t count, const char* part) {
  if (count > left()) fail(fmt::format("{} of {} bytes, but {} are left", part, count, left()));
  const std::string_view taken = bytes_.substr(at_, count);
  at_ += count;
  return taken;
}

Mat5Element Mat5Reader::next() {
  const std::string_view tag = take(tag_size, "a tag");
  const std::uint32_t first = number_at(tag, 0);
  const std::uint32_t small_size = first >> 16;
  if (small_size > 4) {
    at_ -= tag_size;
    fail(fmt::format("a short element of {} bytes", small_size));
  }
  if (small_size > 0) return {first & 0xffff, tag.substr(4, small_size), first_byte_ + at_ - 4};
  const std::uint32_t size = number_at(tag, 4);
  const std::uint64_t byte = first_byte_ + at_;
  const std::string_view data = take(size, "data");
  if (first != mi_compressed) at_ += std::min<std::size_t>((8 - size % 8) % 8, left());
  return {first, data, byte};
}

Mat5Number mat5_number(std::uint32_t type) {
  static constexpr Mat5Number none{' ', 0};
  static constexpr Mat5Number numbers[] = {none,     {'i', 1}, {'u', 1}, {'i', 2}, {'u', 2},
                                           {'i', 4}, {'u', 4}, {'f', 4}, none,     {'f', 8},
                                           none,     none,     {'i', 8}, {'u', 8}};
  return type < std::size(numbers) ? numbers[type] : none;
}

Inflated inflate_mat5(const Mat5Element& element, const std::string& where) {
  Inflater inflater(element.data, element.byte, where);
  char tag_bytes[tag_size];
  inflater.read(tag_bytes, tag_size);
  const std::string_view tag(tag_bytes, tag_size);
  const std::uint64_t size = number_at(tag, 4);
  const std::uint64_t most = (element.data.size() + 1) * largest_deflate_ratio;
  if (number_at(tag, 0) != mi_matrix || size > most)
    throw InputError(fmt::format("{}, byte {}: claims a variable of {} bytes (type {}) in {} "
                                 "compressed ones",
                                 where, element.byte, size, number_at(tag, 0), element.data.size()),
                     damaged);
  check_dense_size(size / sizeof(double), 1, where);
  Inflated inner{std::make_unique_for_overwrite<char[]>(size), size};
  inflater.read(inner.bytes.get(), size);
  return inner;
}

}  // namespace mkc::io
