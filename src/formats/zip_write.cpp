#include "formats/zip_write.hpp"

#include <zlib.h>

#include <stdexcept>
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

unsigned long sum_with(unsigned long sum, std::string_view bytes) {
  if (bytes.empty()) return sum;  // crc32 of a null pointer begins anew
  return crc32_z(sum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

}  // namespace

ZipWriter::ZipWriter(const std::string& path, std::uint64_t largest)
    : file_(path), largest_(largest) {}

void ZipWriter::add(const std::string& name, std::initializer_list<std::string_view> parts) {
  std::uint64_t size = 0;
  unsigned long sum = 0;
  for (const auto part : parts) {
    size += part.size();
    sum = sum_with(sum, part);
  }
  begin(name, size, sum);
  for (const auto part : parts) append(part);
  end();
}

bool ZipWriter::is_wide(const Entry& entry) const {
  return entry.size > largest_ || entry.place > largest_;
}

std::string ZipWriter::common_fields(const Entry& entry, unsigned long sum) const {
  const bool wide = is_wide(entry);
  const std::uint64_t short_size = wide ? zip::full : entry.size;
  return record("", {{wide ? wide_version : plain_version, 2},
                     {zip::utf8_flag, 2},
                     {zip::stored, 2},
                     {fixed_time, 2},
                     {fixed_date, 2},
                     {sum, 4},
                     {short_size, 4},
                     {short_size, 4},
                     {entry.name.size(), 2}});
}

void ZipWriter::begin(const std::string& name, std::uint64_t size, unsigned long sum) {
  entry_ = {name, size, at_, 0, sum, 0};
  const std::string sizes =
      is_wide(entry_) ? record("", {{zip::wide, 2}, {16, 2}, {size, 8}, {size, 8}}) : "";
  const std::string header = record(zip::local_mark, {}) + common_fields(entry_, sum) +
                             record("", {{sizes.size(), 2}}) + name + sizes;
  file_.write(header);
  at_ += header.size();
}

void ZipWriter::append(std::string_view bytes) {
  entry_.sum = sum_with(entry_.sum, bytes);
  entry_.written += bytes.size();
  file_.write(bytes);
}

void ZipWriter::end() {
  if (entry_.written != entry_.size)
    throw std::logic_error(entry_.name + ": an entry of another size than announced");
  constexpr std::uint64_t place_of_sum =
      14;  // in the header: after the mark, four numbers, the time
  if (entry_.sum != entry_.told)
    file_.overwrite(entry_.place + place_of_sum, record("", {{entry_.sum, 4}}));
  const bool wide = is_wide(entry_);
  const std::string wide_numbers =
      wide
          ? record("",
                   {{zip::wide, 2}, {24, 2}, {entry_.size, 8}, {entry_.size, 8}, {entry_.place, 8}})
          : "";
  directory_ +=
      record(zip::central_mark, {{made_on_unix | (wide ? wide_version : plain_version), 2}}) +
      common_fields(entry_, entry_.sum) +
      record("", {{wide_numbers.size(), 2},
                  {0, 6},  // comment, number of the disk, kind of text
                  {plain_file, 4},
                  {wide ? zip::full : entry_.place, 4}}) +
      entry_.name + wide_numbers;
  at_ += entry_.size;
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
