#include <fmt/format.h>

#include "base/utf8.hpp"
#include "formats/files.hpp"
#include "formats/mat5_bytes.hpp"
#include "formats/mat_writer.hpp"
#include "formats/npy_decode.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::size_t largest_variable = std::size_t{1} << 31;
constexpr std::size_t tag_size = 8;

std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void append_tag(std::string& bytes, std::uint32_t type, std::size_t size) {
  append(bytes, type);
  append(bytes, static_cast<std::uint32_t>(size));
}

void append_element(std::string& bytes, std::uint32_t type, std::string_view data) {
  append_tag(bytes, type, data.size());
  bytes += data;
  bytes.append(padded(data.size()) - data.size(), '\0');
}

/// Flags, shape and name, which precede the values.
std::string description(std::uint32_t array_class, const Indices& shape, std::string_view name) {
  std::string flags, sizes, bytes;
  append(flags, array_class);
  append(flags, std::uint32_t{0});
  for (const Index size : shape) append(sizes, static_cast<std::int32_t>(size));
  append_element(bytes, mi_uint32, flags);
  append_element(bytes, mi_int32, sizes);
  append_element(bytes, mi_int8, name);
  return bytes;
}

/// Description and tag of a matrix of doubles; its values follow.
std::string double_head(const Indices& shape, std::string_view name, std::size_t data_size) {
  std::string bytes = description(mx_double, shape, name);
  append_tag(bytes, mi_double, data_size);
  return bytes;
}

std::string word_element(const std::string& word) {
  std::string letters;
  Index count = 0;
  const auto add = [&](char32_t unit) {
    append(letters, static_cast<std::uint16_t>(unit));
    ++count;
  };
  for (const char32_t letter : decode_utf8(word)) {
    if (letter >= 0x10000) add(0xD800 + ((letter - 0x10000) >> 10));  // a pair of surrogates
    add(letter < 0x10000 ? letter : 0xDC00 + ((letter - 0x10000) & 0x3FF));
  }
  std::string content = description(mx_char, {count == 0 ? 0 : 1, count}, "");
  append_element(content, mi_uint16, letters);
  std::string bytes;
  append_element(bytes, mi_matrix, content);
  return bytes;
}

}  // namespace

MatWriter::MatWriter(const std::string& path)
    : path_(path), file_(std::make_unique<OutputFile>(path)) {
  std::string header = "MATLAB 5.0 MAT-file, written by mkc";
  header.resize(124, ' ');
  append(header, std::uint16_t{0x0100});
  file_->write(header + "IM");
}

MatWriter::~MatWriter() = default;

void MatWriter::begin(const std::string& name, std::size_t content) {
  if (content >= largest_variable)
    throw OutputError(path_, fmt::format("variable '{}' has {} bytes, MATLAB 5 files allow 2 GiB; "
                                         "write HDF5 instead",
                                         name, content));
  std::string tag;
  append_tag(tag, mi_matrix, content);
  file_->write(tag);
}

void MatWriter::add(const std::string& name, const Matrix& values) {
  const std::string_view data = bytes_of(values);
  const std::string head = double_head({values.rows(), values.cols()}, name, data.size());
  begin(name, head.size() + data.size());
  file_->write(head);
  file_->write(data);
}

void MatWriter::add_stack(const std::string& name, const std::vector<Matrix>& slices) {
  const Index rows = slices.empty() ? 0 : slices.front().rows();
  const Index columns = slices.empty() ? 0 : slices.front().cols();
  const auto count = static_cast<Index>(slices.size());
  const auto size = static_cast<std::size_t>(rows * columns * count) * sizeof(double);
  const std::string head = double_head({rows, columns, count}, name, size);
  begin(name, head.size() + size);
  file_->write(head);
  for (const auto& slice : slices) file_->write(bytes_of(slice));
}

void MatWriter::add_cells(const std::string& name, const std::vector<Matrix>& cells) {
  const std::string head = description(mx_cell, {1, static_cast<Index>(cells.size())}, name);
  Strings heads;
  std::size_t size = head.size();
  for (const auto& cell : cells) {
    const std::size_t data = bytes_of(cell).size();
    const std::string inner = double_head({cell.rows(), cell.cols()}, "", data);
    std::string& bytes = heads.emplace_back();
    append_tag(bytes, mi_matrix, inner.size() + data);
    bytes += inner;
    size += bytes.size() + data;
  }
  begin(name, size);
  file_->write(head);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    file_->write(heads[i]);
    file_->write(bytes_of(cells[i]));
  }
}

void MatWriter::add_words(const std::string& name, const Strings& words) {
  std::string content = description(mx_cell, {static_cast<Index>(words.size()), 1}, name);
  for (const auto& word : words) content += word_element(word);
  begin(name, content.size());
  file_->write(content);
}

void MatWriter::close() { file_->close(); }

}  // namespace mkc::io
