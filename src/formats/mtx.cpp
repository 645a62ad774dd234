#include "formats/mtx.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "formats/text_lines.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr double largest_size = 9007199254740992.0;  // whole numbers beyond are not exact

struct Entry {
  Index row, column;
  double value;
};

/// Words of a line, separated by blanks.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t from = line.find_first_not_of(" \t", at);
    if (from == std::string_view::npos) break;
    at = std::min(line.find_first_of(" \t", from), line.size());
    words.push_back(line.substr(from, at - from));
  }
  return words;
}

/// Reads one matrix from front to back.
class MtxReader {
 public:
  explicit MtxReader(const std::string& path) : lines_(path) {}

  Matrix read() {
    read_banner();
    const auto sizes = next_line("the line with the sizes");
    const std::size_t wanted = sparse_ ? 3 : 2;
    if (sizes.size() != wanted)
      fail(fmt::format("{} sizes found, {} needed: {}", sizes.size(), wanted,
                       sparse_ ? "rows columns entries" : "rows columns"));
    rows_ = whole(sizes[0], 1, largest_size, "number of rows");
    columns_ = whole(sizes[1], 1, largest_size, "number of columns");
    if ((symmetric_ || skew_) && rows_ != columns_)
      fail(fmt::format("a symmetric matrix of {} rows and {} columns", rows_, columns_));
    return sparse_ ? read_sparse(whole(sizes[2], 0, largest_size, "number of entries"))
                   : read_dense();
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const {
    throw InputError(fmt::format("{}, line {}: {}", lines_.path(), lines_.number(), what), hint);
  }

  void read_banner() {
    const auto line = lines_.next();
    const auto words = words_of(line.value_or(""));
    if (words.size() != 5 || lower(words[0]) != "%%matrixmarket" || lower(words[1]) != "matrix")
      throw InputError(lines_.path() + ", line 1: '%%MatrixMarket matrix ...' is missing",
                       "write it with scipy.io.mmwrite or Matrix::writeMM");
    const std::string format = lower(words[2]), field = lower(words[3]), shape = lower(words[4]);
    sparse_ = choice(format, "coordinate", "array") == 0;
    pattern_ = field == "pattern";
    if (!pattern_) choice(field, "real", "integer", "double");
    if (pattern_ && !sparse_) fail("an array without values (pattern)");
    const int symmetry = choice(shape, "general", "symmetric", "skew-symmetric");
    symmetric_ = symmetry == 1;
    skew_ = symmetry == 2;
  }

  template <class... Words>
  int choice(const std::string& word, const Words&... known) const {
    int place = 0, found = -1;
    ((word == known ? found = place : 0, ++place), ...);
    if (found < 0)
      fail(fmt::format("'{}' is not supported; supported are {}", shown(word), join({known...})));
    return found;
  }

  /// The words of the next line that is no comment.
  std::vector<std::string_view> next_line(const std::string& wanted) {
    while (const auto line = lines_.next()) {
      if (line->starts_with('%')) continue;
      auto words = words_of(*line);
      if (!words.empty()) return words;
    }
    throw InputError(fmt::format("{}: cut off after line {}: {} is missing", lines_.path(),
                                 lines_.number(), wanted),
                     "copy the file again");
  }

  Index whole(std::string_view word, double low, double high, const char* what) const {
    double value = 0;
    if (!parse_number(word, value) || value != std::floor(value) || !(value >= low) ||
        !(value <= high))
      fail(fmt::format("'{}' is not a {}{}", shown(word), what,
                       high < largest_size ? fmt::format(" from {} to {}", low, high) : ""),
           low == 1 && value == 0 ? "Matrix Market counts rows and columns from 1" : "");
    return static_cast<Index>(value);
  }

  double number(std::string_view word) const {
    double value = 0;
    if (!parse_number(word, value)) fail(fmt::format("'{}' is not a number", shown(word)));
    return value;
  }

  /// Memory is allocated for the entries found, not for the sizes claimed.
  Matrix read_sparse(Index count) {
    std::vector<Entry> entries;
    const std::size_t wanted = pattern_ ? 2 : 3;
    for (Index i = 0; i < count; ++i) {
      const auto words = next_line(fmt::format("entry {} of {}", i + 1, count));
      if (words.size() != wanted)
        fail(fmt::format("an entry of {} numbers, {} needed", words.size(), wanted));
      entries.push_back({whole(words[0], 1, static_cast<double>(rows_), "row") - 1,
                         whole(words[1], 1, static_cast<double>(columns_), "column") - 1,
                         pattern_ ? 1 : number(words[2])});
    }
    check_end(count);
    check_sparse_size(static_cast<std::uint64_t>(rows_), static_cast<std::uint64_t>(columns_),
                      entries.size(), lines_.path());
    Matrix values = Matrix::Zero(rows_, columns_);
    for (const auto& [row, column, value] : entries) add(values, row, column, value);
    return values;
  }

  void add(Matrix& values, Index row, Index column, double value) const {
    values(row, column) += value;
    if ((symmetric_ || skew_) && row != column) values(column, row) += skew_ ? -value : value;
  }

  /// Column by column; for symmetric matrices from the diagonal (skew: below it) downwards.
  Matrix read_dense() {
    std::vector<double> numbers;
    const auto total = static_cast<double>(rows_) * static_cast<double>(columns_);
    const auto n = static_cast<double>(rows_);
    const double count = symmetric_ ? n * (n + 1) / 2 : skew_ ? n * (n - 1) / 2 : total;
    while (static_cast<double>(numbers.size()) < count) {
      const auto words = next_line(fmt::format("value {} of {:.0f}", numbers.size() + 1, count));
      if (words.size() != 1) fail(fmt::format("{} numbers, one per line is needed", words.size()));
      numbers.push_back(number(words[0]));
    }
    check_end(static_cast<Index>(count));
    check_dense_size(static_cast<std::uint64_t>(rows_), static_cast<std::uint64_t>(columns_),
                     lines_.path());
    Matrix values = Matrix::Zero(rows_, columns_);
    auto next = numbers.begin();
    for (Index j = 0; j < columns_; ++j)
      for (Index i = symmetric_ ? j : skew_ ? j + 1 : 0; i < rows_; ++i) add(values, i, j, *next++);
    return values;
  }

  void check_end(Index count) {
    while (const auto line = lines_.next())
      if (!line->starts_with('%') && !words_of(*line).empty())
        fail(fmt::format("more follows after the {} entries that the sizes give", count));
  }

  TextLines lines_;
  bool sparse_ = false, pattern_ = false, symmetric_ = false, skew_ = false;
  Index rows_ = 0, columns_ = 0;
};

}  // namespace

Matrix read_mtx(const std::string& path) { return MtxReader(path).read(); }

Strings read_id_lines(const std::string& path) {
  Strings ids;
  TextLines lines(path);
  while (const auto line = lines.next()) {
    const std::size_t from = line->find_first_not_of(" \t");
    const bool empty = from == std::string_view::npos;
    ids.emplace_back(empty ? "" : line->substr(from, line->find_last_not_of(" \t") - from + 1));
    if (!is_utf8(ids.back()))
      throw InputError(fmt::format("{}, line {}: the id is not UTF-8 text", path, lines.number()),
                       utf8_hint);
  }
  while (!ids.empty() && ids.back().empty()) ids.pop_back();
  return ids;
}

}  // namespace mkc::io
