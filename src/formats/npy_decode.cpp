#include "formats/npy_decode.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "formats/dense_size.hpp"
#include "formats/npy_header.hpp"
#include "formats/number_bytes.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::uint64_t longest_header = std::uint64_t{1} << 20;
constexpr std::uint64_t values_per_block = std::uint64_t{1} << 20;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

void swap_bytes(char* bytes, std::uint64_t count, std::uint64_t item_size) {
  for (std::uint64_t i = 0; i < count; ++i)
    std::reverse(bytes + i * item_size, bytes + (i + 1) * item_size);
}

namespace {

/// Reads the data of numeric arrays, a block of rows or columns at a time.
class NumberReader {
 public:
  NumberReader(const ByteSource& source, const NpyHeader& header)
      : source_(source),
        header_(header),
        convert_(number_converter(header.kind, header.item_size)) {}

  Matrix read() {
    const Indices& shape = header_.shape;
    const Index rows = shape.empty() ? 1 : shape[0], cols = shape.size() < 2 ? 1 : shape[1];
    Matrix values(rows, cols);
    if (values.size() == 0) return values;
    if (header_.fortran_order || shape.size() < 2)
      read_in_memory_order(values);
    else
      read_by_rows(values);
    return values;
  }

 private:
  void read_in_memory_order(Matrix& values) {
    const bool as_it_is = header_.kind == 'f' && header_.item_size == 8 && !header_.big_endian;
    if (as_it_is)
      return source_.read(reinterpret_cast<char*>(values.data()), header_.count * sizeof(double));
    for (std::uint64_t done = 0; done < header_.count;) {
      const auto count = std::min(values_per_block, header_.count - done);
      read_block(count, values.data() + done);
      done += count;
    }
  }

  void read_by_rows(Matrix& values) {
    const Index most = std::max<Index>(1, static_cast<Index>(values_per_block) / values.cols());
    RowMajor block;
    for (Index first = 0; first < values.rows(); first += block.rows()) {
      block.resize(std::min(most, values.rows() - first), values.cols());
      read_block(static_cast<std::uint64_t>(block.size()), block.data());
      values.middleRows(first, block.rows()) = block;
    }
  }

  void read_block(std::uint64_t count, double* to) {
    bytes_.resize(count * header_.item_size);
    source_.read(bytes_.data(), bytes_.size());
    if (header_.big_endian) swap_bytes(bytes_.data(), count, header_.item_size);
    convert_(bytes_.data(), count, to);
  }

  const ByteSource& source_;
  const NpyHeader& header_;
  NumberConverter convert_;
  std::string bytes_;
};

std::string decode_wide_word(const char* bytes, std::uint64_t size, const std::string& where) {
  std::string word;
  std::size_t length = 0;  // up to the last character that is not zero
  for (std::uint64_t at = 0; at < size; at += 4) {
    std::uint32_t code = 0;
    std::memcpy(&code, bytes + at, sizeof(code));
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
      throw InputError(fmt::format("{}: a word holds 0x{:X}, which is no character", where, code));
    append_utf8(word, code);
    if (code != 0) length = word.size();
  }
  word.resize(length);
  return word;
}

std::string decode_narrow_word(const char* bytes, std::uint64_t size, const std::string& where) {
  std::string word(bytes, size);
  word.resize(word.find_last_not_of('\0') + 1);
  if (!is_utf8(word))
    throw InputError(where + ": a word of an S array is not UTF-8 text", "save words as str");
  return word;
}

Strings read_words(const ByteSource& source, const NpyHeader& header, const std::string& where) {
  if (header.item_size == 0 && header.count > 0)
    throw InputError(fmt::format("{}: {} words of length 0", where, header.count));
  const std::uint64_t bytes_per_word = sizeof(std::string) + header.item_size;
  check_memory(static_cast<double>(header.count * bytes_per_word),
               fmt::format("{}: {} words", where, header.count));
  Strings words;
  words.reserve(header.count);
  std::string bytes(header.item_size, '\0');
  const bool wide = header.kind == 'U';
  for (std::uint64_t i = 0; i < header.count; ++i) {
    source.read(bytes.data(), bytes.size());
    if (wide && header.big_endian) swap_bytes(bytes.data(), bytes.size() / 4, 4);
    words.push_back(wide ? decode_wide_word(bytes.data(), bytes.size(), where)
                         : decode_narrow_word(bytes.data(), bytes.size(), where));
  }
  return words;
}

[[noreturn]] void cut_off(std::uint64_t size, const std::string& part, const std::string& where) {
  throw InputError(fmt::format("{}: cut off after {} bytes, inside {}", where, size, part),
                   damaged);
}

std::string read_exactly(const ByteSource& source, std::uint64_t count) {
  std::string bytes(count, '\0');
  source.read(bytes.data(), bytes.size());
  return bytes;
}

NpyStart read_start(const ByteSource& source, const std::string& where) {
  std::string prelude = read_exactly(source, std::min<std::uint64_t>(source.size, npy_first_bytes));
  const std::size_t prelude_size = npy_prelude_size(prelude, where);
  if (source.size < prelude_size) cut_off(source.size, "the first bytes of the NPY header", where);
  prelude += read_exactly(source, prelude_size - prelude.size());
  const std::uint64_t length = npy_header_length(prelude);
  if (length > source.size - prelude_size)
    cut_off(source.size, fmt::format("an NPY header of {} bytes", prelude_size + length), where);
  if (length > longest_header)
    throw InputError(fmt::format("{}: an NPY header of {} bytes is too long", where, length));
  return {parse_npy_header(read_exactly(source, length), where), prelude_size + length};
}

void check_data_size(const NpyStart& start, std::uint64_t size, const std::string& where) {
  const std::uint64_t needed = start.header.count * start.header.item_size;
  const std::uint64_t found = size - start.size;
  if (found == needed) return;
  throw InputError(
      fmt::format("{}: holds {} bytes of data, shape {} with {} bytes per value needs {}", where,
                  found, format_shape(start.header.shape), start.header.item_size, needed),
      found < needed ? "the file is cut off: save or copy it again" : "");
}

void skip(const ByteSource& source, std::uint64_t count) {
  std::string bytes;
  for (; count > 0; count -= bytes.size()) {
    bytes.resize(std::min(count, values_per_block));
    source.read(bytes.data(), bytes.size());
  }
}

}  // namespace

NpyStart read_npy_start(const ByteSource& source, const std::string& where) {
  NpyStart start = read_start(source, where);
  check_data_size(start, source.size, where);
  return start;
}

Array decode_npy(const ByteSource& source, const std::string& where) {
  const NpyStart start = read_npy_start(source, where);
  const NpyHeader& header = start.header;
  const bool is_text = header.kind == 'U' || header.kind == 'S';
  if (header.shape.size() > 2) {
    skip(source, header.count * header.item_size);
    if (is_text) return {header.shape, Strings()};
    return {header.shape, Matrix()};
  }
  if (is_text) return {header.shape, read_words(source, header, where)};
  check_dense_size(header.count, 1, where);
  return {header.shape, NumberReader(source, header).read()};
}

std::string encode_npy(const Strings& words) {
  std::size_t longest = 1;
  std::vector<std::u32string> decoded;
  for (const auto& word : words) {
    decoded.push_back(decode_utf8(word));
    longest = std::max(longest, decoded.back().size());
  }
  std::string bytes =
      make_npy_header(fmt::format("<U{}", longest), false, {static_cast<Index>(words.size())});
  bytes.reserve(bytes.size() + words.size() * longest * 4);
  for (auto& word : decoded) {
    word.resize(longest, U'\0');
    bytes.append(reinterpret_cast<const char*>(word.data()), longest * 4);
  }
  return bytes;
}

std::string npy_header_of(const Matrix& values) {
  return make_npy_header("<f8", true, {values.rows(), values.cols()});
}

std::string_view bytes_of(const Matrix& values) {
  return {reinterpret_cast<const char*>(values.data()),
          static_cast<std::size_t>(values.size()) * sizeof(double)};
}

}  // namespace mkc::io
