#include "formats/r_stream.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <new>

#include <fmt/format.h>

#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16;
constexpr std::size_t bytes_between_checks = std::size_t{1} << 22;

template <class Number>
Number from_xdr(const char* bytes) {
  std::array<unsigned char, sizeof(Number)> turned;
  std::reverse_copy(bytes, bytes + sizeof(Number), turned.begin());
  static_assert(std::endian::native == std::endian::little);
  return std::bit_cast<Number>(turned);
}

/// R compresses with gzip unless it is told otherwise.
void refuse_other_compression(const std::string& path) {
  const ByteSource source = file_bytes(path);
  std::string start(std::min<std::uint64_t>(source.size, 6), '\0');
  source.read(start.data(), start.size());
  const bool bzip2 = start.starts_with("BZh"), xz = start.starts_with(
                                                   "\xFD"
                                                   "7zXZ");
  if (!bzip2 && !xz) return;
  throw InputError(
      fmt::format("{}: compressed with {}, which is not read", path, bzip2 ? "bzip2" : "xz"),
      fmt::format("unpack it: {} -dc OLD > NEW; or save it in R without compress=",
                  bzip2 ? "bzip2" : "xz"));
}

}  // namespace

void RStream::Close::operator()(gzFile_s* file) const noexcept { gzclose(file); }

RStream::RStream(const std::string& path) : path_(path) {
  refuse_other_compression(path);
  const int file = open_input(path);
  struct stat status{};
  fstat(file, &status);
  file_.reset(gzdopen(file, "rb"));
  if (!file_) {
    close(file);
    throw std::bad_alloc();
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  most_ = gzdirect(file_.get()) == 1 ? size : (size + 1) * largest_deflate_ratio;
}

void RStream::fail(const std::string& what) const {
  throw InputError(fmt::format("{}, byte {}: {}", path_, at_, what), damaged);
}

void RStream::bytes(char* to, std::size_t count) {
  while (count > 0) {
    const auto some = static_cast<unsigned>(std::min(count, std::size_t{1} << 20));
    const int got = gzread(file_.get(), to, some);
    if (got <= 0) fail(got == 0 ? "the file is cut off" : "the gzip data are damaged");
    to += got;
    at_ += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

std::int32_t RStream::integer() {
  char raw[4];
  bytes(raw, sizeof(raw));
  return from_xdr<std::int32_t>(raw);
}

/// Long vectors have -1 and then two halves.
std::uint64_t RStream::length() {
  const std::int32_t short_length = integer();
  if (short_length >= 0) return static_cast<std::uint64_t>(short_length);
  if (short_length != -1) fail(fmt::format("a vector of length {}", short_length));
  const auto high = static_cast<std::uint32_t>(integer()),
             low = static_cast<std::uint32_t>(integer());
  return (std::uint64_t{high} << 32) + low;
}

void RStream::skip(std::uint64_t count) {
  std::array<char, 4096> ignored;
  for (; count > 0; count -= std::min<std::uint64_t>(count, ignored.size()))
    bytes(ignored.data(), std::min<std::uint64_t>(count, ignored.size()));
}

template <class Number, class Convert>
Vector RStream::numbers(std::uint64_t count, Convert convert) {
  if (count > (most_ - std::min(at_, most_)) / sizeof(Number))
    fail(fmt::format("claims {} numbers, more than the file can hold", count));
  check_dense_size(count, 1, path_);
  Vector values(static_cast<Index>(count));
  std::array<char, block_bytes> block;
  constexpr std::uint64_t per_block = block_bytes / sizeof(Number);
  for (std::uint64_t first = 0; first < count; first += per_block) {
    const std::uint64_t now = std::min(per_block, count - first);
    bytes(block.data(), now * sizeof(Number));
    for (std::uint64_t i = 0; i < now; ++i)
      values(static_cast<Index>(first + i)) =
          convert(from_xdr<Number>(block.data() + i * sizeof(Number)));
  }
  return values;
}

Vector RStream::doubles(std::uint64_t count) {
  return numbers<double>(count, [](double value) { return value; });
}

Vector RStream::integers(std::uint64_t count) {
  return numbers<std::int32_t>(count, [](std::int32_t value) {
    return value == std::numeric_limits<std::int32_t>::min()
               ? std::numeric_limits<double>::quiet_NaN()
               : static_cast<double>(value);
  });
}

void RStream::took(std::size_t bytes) {
  taken_ += bytes;
  if (taken_ - checked_ < bytes_between_checks) return;
  checked_ = taken_;
  check_memory(2.0 * bytes_between_checks, path_ + ": its lists and texts");
}

void RStream::needs(std::size_t bytes) const {
  if (bytes >= bytes_between_checks)
    check_memory(static_cast<double>(bytes), path_ + ": its lists and texts");
}

}  // namespace mkc::io
