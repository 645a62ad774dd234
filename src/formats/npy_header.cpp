#include "formats/npy_header.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/files.hpp"
#include "formats/npy.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 56;

/// Reads the Python literals that occur in a header.
class Literals {
 public:
  Literals(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(
        fmt::format("{}: the NPY header is damaged at byte {}: {}", where_, position_ + 1, what));
  }

  bool accept(char c) {
    skip_blanks();
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}' expected", c));
  }

  bool at_end() {
    skip_blanks();
    return position_ == text_.size();
  }

  std::string word() {
    if (accept('[')) refuse_structured();
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const std::size_t end = text_.find(quote, position_);
    if (end == std::string_view::npos) fail("a quote is not closed");
    std::string result(text_.substr(position_, end - position_));
    position_ = end + 1;
    return result;
  }

  bool boolean() {
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    fail("True or False expected");
  }

  Indices tuple() {
    Indices sizes;
    expect('(');
    while (!accept(')')) {
      sizes.push_back(size());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }

 private:
  [[noreturn]] void refuse_structured() const {
    throw InputError(where_ + ": structured arrays are not supported",
                     "save one array of numbers per field");
  }

  void skip_blanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n'))
      ++position_;
  }

  bool accept_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(position_).starts_with(word)) return false;
    position_ += word.size();
    return true;
  }

  Index size() {
    skip_blanks();
    Index value = 0;
    const char* begin = text_.data() + position_;
    const auto [stop, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail("a size of the shape is too large");
    if (error != std::errc()) fail("a size of the shape expected");
    if (value < 0) fail(fmt::format("the shape has a negative size, {}", value));
    position_ += static_cast<std::size_t>(stop - begin);
    return value;
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t position_ = 0;
};

[[noreturn]] void refuse_type(const std::string& descr, const std::string& where) {
  throw InputError(fmt::format("{}: arrays of type '{}' are not supported", where, shown(descr)),
                   "save numbers as float64 (array.astype(float)), words as str");
}

bool is_known_type(char kind, std::uint64_t size) {
  switch (kind) {
    case 'f':
      return size == 4 || size == 8;
    case 'i':
    case 'u':
      return size == 1 || size == 2 || size == 4 || size == 8;
    case 'b':
      return size == 1;
    default:
      return kind == 'U' || kind == 'S';
  }
}

/// "<f8": byte order, kind, size (in characters for U).
void read_type(const std::string& descr, const std::string& where, NpyHeader& header) {
  if (descr.find('O') != std::string::npos)
    throw InputError(where + ": object arrays are pickles; save with dtype float or str",
                     "numpy.save(path, array.astype(float)), or astype(str) for words");
  if (descr.size() < 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos)
    refuse_type(descr, where);
  std::uint32_t size = 0;
  const char* end = descr.data() + descr.size();
  const auto [stop, error] = std::from_chars(descr.data() + 2, end, size);
  if (error != std::errc() || stop != end || !is_known_type(descr[1], size))
    refuse_type(descr, where);
  header.kind = descr[1];
  header.big_endian = descr[0] == '>';
  header.item_size = std::uint64_t{size} * (header.kind == 'U' ? 4 : 1);
}

/// Number of elements; sizes of zero count as one in the bound on bytes, so that it holds for every
/// size.
std::uint64_t count_elements(const NpyHeader& header, const std::string& where) {
  std::uint64_t bound = std::max<std::uint64_t>(header.item_size, 1), count = 1;
  for (const Index size : header.shape) {
    const auto factor = static_cast<std::uint64_t>(std::max<Index>(size, 1));
    if (factor > most_bytes / bound)
      throw InputError(fmt::format("{}: an array of shape {} with {} bytes per value is too large",
                                   where, format_shape(header.shape), header.item_size));
    bound *= factor;
    count *= static_cast<std::uint64_t>(size);
  }
  return count;
}

}  // namespace

std::size_t npy_prelude_size(std::string_view first_bytes, const std::string& where) {
  const std::string_view start = first_bytes.substr(0, magic.size());
  if (start != magic.substr(0, start.size()) || start.empty())
    throw InputError(where + ": not an NPY array: its first bytes are wrong",
                     "save it with numpy.save or numpy.savez");
  if (first_bytes.size() < npy_first_bytes) return npy_longest_prelude;
  const int version = static_cast<unsigned char>(first_bytes[6]);
  if (version < 1 || version > 3)
    throw InputError(fmt::format("{}: NPY version {} is not supported", where, version),
                     "versions 1 to 3 are supported");
  return version == 1 ? 10 : 12;
}

std::uint64_t npy_header_length(std::string_view prelude) {
  std::uint64_t length = 0;
  for (std::size_t i = prelude.size(); i-- > npy_first_bytes;)
    length = (length << 8) | static_cast<unsigned char>(prelude[i]);
  return length;
}

NpyHeader parse_npy_header(std::string_view dictionary, const std::string& where) {
  NpyHeader header;
  Literals literals(dictionary, where);
  bool has_descr = false, has_order = false, has_shape = false;
  literals.expect('{');
  while (!literals.accept('}')) {
    const std::string key = literals.word();
    literals.expect(':');
    if (key == "descr" && !has_descr) {
      has_descr = true;
      read_type(literals.word(), where, header);
    } else if (key == "fortran_order" && !has_order) {
      has_order = true;
      header.fortran_order = literals.boolean();
    } else if (key == "shape" && !has_shape) {
      has_shape = true;
      header.shape = literals.tuple();
    } else {
      literals.fail(fmt::format("key '{}' is unknown or given twice", shown(key)));
    }
    if (!literals.accept(',')) {
      literals.expect('}');
      break;
    }
  }
  if (!literals.at_end()) literals.fail("text after the closing brace");
  if (!has_descr || !has_order || !has_shape) literals.fail("a key is missing");
  header.count = count_elements(header, where);
  return header;
}

std::string make_npy_header(const std::string& descr, bool fortran_order, const Indices& shape) {
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", descr,
                  fortran_order ? "True" : "False", format_shape(shape));
  constexpr std::size_t prelude = 10, alignment = 64;
  const std::size_t used = prelude + dictionary.size() + 1;
  dictionary.append((alignment - used % alignment) % alignment, ' ');
  dictionary += '\n';
  std::string bytes(magic);
  bytes += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xFF),
            static_cast<char>(dictionary.size() >> 8)};
  return bytes + dictionary;
}

}  // namespace mkc::io
