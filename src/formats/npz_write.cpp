#include <zip.h>

#include "base/text.hpp"
#include "formats/npy_decode.hpp"
#include "formats/npz.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

// 1 January 1980, 0:00, the earliest time of the format: the same in every time zone and every run.
constexpr zip_uint16_t fixed_time = 0, fixed_date = (1 << 5) | 1;

zip_buffer_fragment_t fragment(std::string_view bytes) {
  // libzip only reads these bytes; its structure is not const because other functions write.
  auto* data = reinterpret_cast<zip_uint8_t*>(const_cast<char*>(bytes.data()));
  return {data, bytes.size()};
}

}  // namespace

NpzWriter::NpzWriter(const std::string& path) : path_(path) {
  std::string why;
  archive_ = open_zip(path, ZIP_CREATE | ZIP_TRUNCATE, why);
  if (!archive_) throw OutputError(path_, why);
}

void NpzWriter::add(const std::string& name, const Matrix& values) {
  add_parts(name, bytes_.emplace_back(npy_header_of(values)), bytes_of(values));
}

void NpzWriter::add(const std::string& name, Matrix&& values) {
  const Matrix& kept = matrices_.emplace_back(std::move(values));
  add(name, kept);
}

void NpzWriter::add(const std::string& name, const Strings& words) {
  add_parts(name, bytes_.emplace_back(encode_npy(words)), {});
}

void NpzWriter::add_parts(const std::string& name, std::string_view header, std::string_view data) {
  const auto check = [&](bool good) {
    if (!good) throw OutputError(path_ + ":" + shown(name), zip_strerror(archive_.get()));
  };
  const zip_buffer_fragment_t parts[] = {fragment(header), fragment(data)};
  zip_source_t* source = zip_source_buffer_fragment(archive_.get(), parts, data.empty() ? 1 : 2, 0);
  check(source != nullptr);
  const zip_int64_t index =
      zip_file_add(archive_.get(), (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) zip_source_free(source);
  check(index >= 0);
  const auto entry = static_cast<zip_uint64_t>(index);
  check(zip_set_file_compression(archive_.get(), entry, ZIP_CM_STORE, 0) == 0);
  check(zip_file_set_dostime(archive_.get(), entry, fixed_time, fixed_date, 0) == 0);
}

void NpzWriter::close() {
  if (zip_close(archive_.get()) != 0) throw OutputError(path_, zip_strerror(archive_.get()));
  [[maybe_unused]] const auto* freed = archive_.release();  // by zip_close
}

}  // namespace mkc::io
