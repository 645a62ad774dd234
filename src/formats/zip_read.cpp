#include "formats/zip_read.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include "formats/dense_size.hpp"
#include "formats/zip_format.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

using zip::number;

namespace {

constexpr std::uint64_t longest_comment = 0xFFFF, bytes_without_check = 1 << 22;
constexpr std::size_t input_block = std::size_t{1} << 16, output_block = std::size_t{1} << 30;

/// Numbers that do not fit their field are in an extra field, in this order (4.5.3).
void take_wide_numbers(ZipMember& member, std::string_view extra) {
  while (extra.size() >= 4) {
    const std::uint64_t id = number(extra, 0, 2), length = number(extra, 2, 2);
    std::string_view field = extra.substr(4, length);
    extra.remove_prefix(std::min<std::size_t>(extra.size(), 4 + length));
    if (id != zip::wide) continue;
    for (std::uint64_t* value : {&member.size, &member.packed, &member.header}) {
      if (*value != zip::full || field.size() < 8) continue;
      *value = number(field, 0, 8);
      field.remove_prefix(8);
    }
  }
}

}  // namespace

ZipReader::ZipReader(const std::string& path, const ZipKind& kind)
    : path_(path), kind_(kind), file_(open_input(path)), size_(size_of(file_)) {
  const Directory directory = find_directory();
  const std::string records = bytes(directory.at, directory.size);
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    if (records.compare(at, zip::central_mark.size(), zip::central_mark) != 0 ||
        records.size() - at < zip::central_size)
      refuse(fmt::format("entry {} of its directory is damaged", i + 1));
    const std::string_view record = std::string_view(records).substr(at);
    const std::uint64_t name = number(record, 28, 2), extra = number(record, 30, 2),
                        length = zip::central_size + name + extra + number(record, 32, 2);
    if (length > record.size()) refuse(fmt::format("entry {} of its directory is cut off", i + 1));
    ZipMember& member = members_.emplace_back();
    member.name = record.substr(zip::central_size, name);
    member.flags = static_cast<std::uint32_t>(number(record, 8, 2));
    member.method = static_cast<std::uint32_t>(number(record, 10, 2));
    member.sum = static_cast<std::uint32_t>(number(record, 16, 4));
    member.packed = number(record, 20, 4);
    member.size = number(record, 24, 4);
    member.header = number(record, 42, 4);
    take_wide_numbers(member, record.substr(zip::central_size + name, extra));
    at += length;
  }
}

/// The record at the end of the file, which a comment may follow, says where the directory is;
/// where a locator is before it, the record of ZIP64 does.
ZipReader::Directory ZipReader::find_directory() const {
  const std::uint64_t length =
      std::min<std::uint64_t>(size_, zip::locator_size + zip::end_size + longest_comment);
  const std::string tail = bytes(size_ - length, length);
  const auto fits = [&](std::size_t at) {
    return tail.size() - at >= zip::end_size &&
           tail.size() - at - zip::end_size >= number(tail, at + 20, 2);
  };
  std::size_t end = tail.rfind(zip::end_mark);
  while (end != std::string::npos && !fits(end))
    end = end == 0 ? std::string::npos : tail.rfind(zip::end_mark, end - 1);
  if (end == std::string::npos) refuse("it has no directory at its end");
  if (end < zip::locator_size ||
      tail.compare(end - zip::locator_size, zip::locator_mark.size(), zip::locator_mark) != 0)
    return {number(tail, end + 10, 2), number(tail, end + 12, 4), number(tail, end + 16, 4)};
  const std::string record = bytes(number(tail, end - zip::locator_size + 8, 8), zip::end64_size);
  if (!record.starts_with(zip::end64_mark)) refuse("the end of its directory is damaged");
  return {number(record, 32, 8), number(record, 40, 8), number(record, 48, 8)};
}

std::string ZipReader::bytes(std::uint64_t at, std::uint64_t count) const {
  if (at > size_ || count > size_ - at) refuse("parts of it are missing");
  if (count > bytes_without_check) check_memory(static_cast<double>(count), path_);
  std::string read(count, '\0');
  read_at(file_, at, read.data(), count, path_);
  return read;
}

void ZipReader::refuse(const std::string& why) const {
  throw InputError(fmt::format("{}: not a complete {}: {}", path_, kind_.file, why), kind_.hint);
}

void ZipEntry::EndInflate::operator()(z_stream_s* stream) const noexcept {
  inflateEnd(stream);
  delete stream;
}

ZipEntry::ZipEntry(const ZipReader& archive, std::size_t index, std::string where)
    : archive_(archive), member_(archive.members().at(index)), where_(std::move(where)) {
  check_size();
  find_data();
  if (member_.method == zip::stored) return;
  stream_.reset(new z_stream{});
  if (inflateInit2(stream_.get(), -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  input_.resize(input_block);
}

/// The claimed size of an entry must be possible for the bytes the file has for it.
void ZipEntry::check_size() const {
  if (member_.flags & zip::encrypted_flag)
    throw InputError(where_ + ": protected by a password", archive_.kind_.hint);
  const bool is_stored = member_.method == zip::stored;
  if (!is_stored && member_.method != zip::deflated)
    throw InputError(
        fmt::format("{}: compression method {} is not supported", where_, member_.method),
        archive_.kind_.hint);
  const std::uint64_t in_file = archive_.size_;
  const bool is_possible = is_stored ? member_.size == member_.packed
                                     : member_.size / largest_deflate_ratio <= member_.packed;
  if (member_.packed > in_file || !is_possible)
    throw InputError(fmt::format("{}: claims {} bytes in {} stored ones, the whole file has {}",
                                 where_, member_.size, member_.packed, in_file),
                     damaged);
}

/// Its bytes follow its header, whose texts may have other lengths than those in the directory.
void ZipEntry::find_data() {
  if (member_.header > archive_.size_ || archive_.size_ - member_.header < zip::local_size)
    fail("it begins beyond the end of the file");
  const std::string header = archive_.bytes(member_.header, zip::local_size);
  if (!header.starts_with(zip::local_mark)) fail("its header is damaged");
  at_ = member_.header + zip::local_size + number(header, 26, 2) + number(header, 28, 2);
  left_ = member_.packed;
  if (at_ > archive_.size_ || left_ > archive_.size_ - at_) fail("parts of it are missing");
}

void ZipEntry::read(char* to, std::size_t count) {
  if (stream_) {
    for (std::size_t got = 0, done = 0; done < count; done += got) {
      got = inflate_some(to + done, count - done);
      if (got == 0) fail("it ends too early");
    }
  } else {
    take(to, count);
  }
  if (count > 0)  // crc32 of a null pointer begins anew
    sum_ = crc32_z(sum_, reinterpret_cast<const Bytef*>(to), count);
}

void ZipEntry::finish() {
  char beyond = 0;
  if (stream_ && inflate_some(&beyond, 1) != 0) fail("it is longer than it claims");
  if (sum_ != member_.sum) fail("its checksum differs");
}

/// The next bytes of the entry in the file.
void ZipEntry::take(char* to, std::size_t count) {
  if (count > left_) fail("it ends too early");
  read_at(archive_.file_, at_, to, count, archive_.path_);
  at_ += count;
  left_ -= count;
}

/// Up to so many bytes; 0 at the end.
std::size_t ZipEntry::inflate_some(char* to, std::size_t count) {
  const auto room = static_cast<uInt>(std::min(count, output_block));
  stream_->next_out = reinterpret_cast<Bytef*>(to);
  stream_->avail_out = room;
  for (int status = Z_OK; status == Z_OK && stream_->avail_out == room;) {
    if (stream_->avail_in == 0 && left_ > 0) {
      stream_->avail_in = static_cast<uInt>(std::min<std::uint64_t>(left_, input_block));
      stream_->next_in = reinterpret_cast<Bytef*>(input_.data());
      take(input_.data(), stream_->avail_in);
    }
    status = inflate(stream_.get(), Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
      fail("its compressed bytes are damaged");
  }
  return room - stream_->avail_out;
}

void ZipEntry::fail(std::string_view why) const {
  throw InputError(fmt::format("{}: the {} cannot be read: {}", where_, archive_.kind_.entry, why),
                   damaged);
}

}  // namespace mkc::io
