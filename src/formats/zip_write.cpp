#include "formats/zip_write.hpp"

#include <zlib.h>

#include <utility>

#include "formats/zip_format.hpp"

namespace mkc::io {

namespace {

// Versions of the format that a reader must know: 2.0, and 4.5 for ZIP64.
constexpr std::uint64_t plain_version = 20, wide_version = 45, made_on_unix = 3 << 8;
// 1 January 1980, 0:00, the earliest time of the format: the same in every time zone and every run.
constexpr std::uint64_t fixed_time = 0, fixed_date = (1 << 5) | 1;
constexpr std::uint64_t plain_file = std::uint64_t{0100644} << 16;  // attributes as Unix has them

/// A record of the format: its mark, then numbers, each with its width in bytes.
std::string record(std::string_view mark,
                   std::initializer_list<std::pair<std::uint64_t, unsigned>> numbers) {
  std::string bytes(mark);
  for (const auto& [value, width] : numbers)
    for (unsigned i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

}  // namespace

ZipWriter::ZipWriter(const std::string& path, std::uint64_t largest)
    : file_(path), largest_(largest) {}

void ZipWriter::add(const std::string& name, std::initializer_list<std::string_view> parts) {
  std::uint64_t size = 0;
  unsigned long sum = 0;
  for (const auto part : parts) {
    size += part.size();
    if (!part.empty())  // crc32 of a null pointer begins anew
      sum = crc32_z(sum, reinterpret_cast<const Bytef*>(part.data()), part.size());
  }
  const bool is_wide = size > largest_ || at_ > largest_;
  const std::uint64_t version = is_wide ? wide_version : plain_version,
                      short_size = is_wide ? zip::full : size,
                      short_place = is_wide ? zip::full : at_;
  const std::string sizes =
                        is_wide ? record("", {{zip::wide, 2}, {16, 2}, {size, 8}, {size, 8}}) : "",
                    wide_numbers =
                        is_wide
                            ? record("", {{zip::wide, 2}, {24, 2}, {size, 8}, {size, 8}, {at_, 8}})
                            : "";
  const std::string common = record("", {{version, 2},
                                         {zip::utf8_flag, 2},
                                         {zip::stored, 2},
                                         {fixed_time, 2},
                                         {fixed_date, 2},
                                         {sum, 4},
                                         {short_size, 4},
                                         {short_size, 4},
                                         {name.size(), 2}});
  directory_ += record(zip::central_mark, {{made_on_unix | version, 2}}) + common +
                record("", {{wide_numbers.size(), 2},
                            {0, 6},  // comment, number of the disk, kind of text
                            {plain_file, 4},
                            {short_place, 4}}) +
                name + wide_numbers;
  const std::string header =
      record(zip::local_mark, {}) + common + record("", {{sizes.size(), 2}}) + name + sizes;
  file_.write(header);
  for (const auto part : parts) file_.write(part);
  at_ += header.size() + size;
  ++entries_;
}

void ZipWriter::close() {
  const std::uint64_t size = directory_.size();
  const bool is_wide = entries_ >= zip::full_count || size > largest_ || at_ > largest_;
  if (is_wide) {
    directory_ += record(zip::end64_mark, {{zip::end64_size - 12, 8},
                                           {made_on_unix | wide_version, 2},
                                           {wide_version, 2},
                                           {0, 8},  // numbers of disks
                                           {entries_, 8},
                                           {entries_, 8},
                                           {size, 8},
                                           {at_, 8}});
    directory_ += record(zip::locator_mark, {{0, 4}, {at_ + size, 8}, {1, 4}});
  }
  const std::uint64_t count = is_wide ? zip::full_count : entries_;
  directory_ += record(zip::end_mark, {{0, 4},  // numbers of disks
                                       {count, 2},
                                       {count, 2},
                                       {is_wide ? zip::full : size, 4},
                                       {is_wide ? zip::full : at_, 4},
                                       {0, 2}});  // comment
  file_.write(directory_);
  file_.close();
}

}  // namespace mkc::io
