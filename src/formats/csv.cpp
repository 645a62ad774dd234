#include "formats/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "formats/cells.hpp"
#include "formats/dense_size.hpp"
#include "formats/table_hints.hpp"
#include "formats/text_lines.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr Index cells_per_block = Index{1} << 20;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

bool is_missing(std::string_view cell, const TableOptions& options) {
  return is_missing_word(cell) || std::find(options.na_values.begin(), options.na_values.end(),
                                            cell) != options.na_values.end();
}

/// A number too large or too small for double: infinity or zero, with its sign.
bool parse_beyond_range(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  long double wide = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, wide);  // NOLINT(bugprone-*)
  if (error != std::errc() || stop != end) return false;
  const double size = std::fabs(wide) < 1 ? 0.0 : std::numeric_limits<double>::infinity();
  value = wide < 0 ? -size : size;
  return true;
}

bool parse_cell(std::string_view cell, const TableOptions& options, double& value) {
  if (is_missing(cell, options)) {
    value = nan_value;
    return true;
  }
  return parse_number(cell, value) || parse_beyond_range(cell, value);
}

/// Rows below the header; 0 where the file is too short for so many rows of so many cells.
Index count_rows(const std::string& path, Index columns) {
  TextLines lines(path);
  Index rows = -1, bytes = 0;
  while (const auto line = lines.next_row()) {
    ++rows;
    bytes += static_cast<Index>(line->size()) + 1;
  }
  return rows <= bytes / columns ? rows : 0;
}

/// Reads one table from front to back; each member function is one step.
class TableReader {
 public:
  TableReader(TextLines lines, const TableOptions& options)
      : options_(options), lines_(std::move(lines)) {
    table_.path = lines_.path();
  }

  Table read() {
    const std::string header = first_line();
    const Index header_line = lines_.number();
    while (const auto line = lines_.next()) {
      if (is_comment_or_blank(*line)) {
        if (!table_.lines.empty()) check_comment(*line);
        continue;
      }
      if (table_.lines.empty()) parse_header(header, header_line, *line);
      parse_row(*line);
    }
    report_comments();
    if (table_.lines.empty())
      fail(header_line, "a header, but no rows follow it", no_rows_hint(header));
    if (!options_.names_views) check_header_is_no_row(header_line);
    check_column_names(header_line);
    place_blocks();
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(Index line, const std::string& what, const Hint& hint = {}) const {
    throw InputError(fmt::format("{}: {}", place(line), what), hint);
  }

  // A comment with as many cells as a row may be a sample whose id begins with '#'.
  void check_comment(std::string_view line) {
    std::size_t cells = 0;
    CellReader reader(line, delimiter_);
    while (!reader.done() && reader.text()) ++cells;
    if (cells == table_.column_names.size() + 1 && cells > 1) like_rows_.push_back(lines_.number());
  }

  void report_comments() {
    if (like_rows_.empty()) return;
    table_.notices.push_back(fmt::format(
        "lines that begin with '#' are skipped as comments; {} with as many cells as a row, the "
        "first is line {}",
        like_rows_.size(), like_rows_.front()));
  }

  std::string first_line() {
    const auto line = lines_.next_row();
    if (!line)
      throw InputError(fmt::format("{}: the file is empty", table_.path),
                       "a header line and one row per sample are needed");
    if (const std::string kind = foreign_kind(*line); !kind.empty())
      throw InputError(fmt::format("{}: {}, not a table", table_.path, kind),
                       "save or download the table itself, as CSV or TSV");
    return std::string(*line);
  }

  std::string place(Index line) const { return fmt::format("{}, line {}", table_.path, line); }

  /// The first row shows whether the header has a cell above the sample ids. An empty last cell
  /// comes from a delimiter at the end of the line, and does not count.
  void parse_header(const std::string& header, Index header_line, std::string_view first_row) {
    auto delimiter = recognise_delimiter(header);
    if (!delimiter) delimiter = recognise_delimiter(first_row);
    delimiter_ = delimiter.value_or(Delimiter::blanks);
    table_.column_names = cells_of(header, delimiter_, place(header_line));
    const Strings row = cells_of(first_row, delimiter_, lines_.place());
    const bool r_style = row.size() == table_.column_names.size() + 1 && !row.back().empty();
    if (!r_style) {
      if (is_utf8(table_.column_names.front())) table_.corner = table_.column_names.front();
      table_.column_names.erase(table_.column_names.begin());
    }
    if (table_.column_names.empty())
      fail(header_line, "one column only, no values beside the sample ids",
           "separate the cells by tabs, commas, semicolons or blanks");
    const Index columns = static_cast<Index>(table_.column_names.size());
    // a cell and what separates it from the next take a byte at least
    const auto most_cells = std::min<std::uint64_t>(cells_per_block, lines_.most_bytes());
    block_rows_ = 1 + static_cast<Index>(most_cells) / columns;
    // Memory for all rows is allocated at once where their number is known.
    if (lines_.is_plain() && !options_.rows) make_values(count_rows(table_.path, columns));
  }

  void make_values(Index rows) {
    const auto columns = static_cast<Index>(table_.column_names.size());
    check_dense_size(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                     table_.path);
    table_.values.resize(rows, columns);
  }

  void parse_row(std::string_view line) {
    CellReader reader(line, delimiter_);
    const auto id = reader.text();
    if (!id) refuse_quotes(lines_.place() + ", sample id");
    add_id(std::string(*id));
    double* row = next_row();
    const std::size_t columns = table_.column_names.size();
    std::size_t j = 0;
    for (; !reader.done() && j < columns; ++j)
      if (!reader.number(row[j])) row[j] = slow_cell(reader, j);
    bool empty_end = false;
    for (; !reader.done(); ++j) {
      const auto cell = reader.text();
      if (!cell) refuse_quotes(fmt::format("{}, cell {}", lines_.place(), j + 2));
      empty_end = cell->empty();
    }
    if (j != columns)
      fail(lines_.number(),
           fmt::format("row '{}' has {} values, the header has {}", shown(table_.row_names.back()),
                       j, columns),
           j > columns && empty_end
               ? "the row ends in a delimiter: remove it, or end the header with one too"
           : delimiter_ == Delimiter::comma && j > columns
               ? "where commas separate the cells, decimals need a point (0.5, not 0,5) and names "
                 "with a comma need quotes"
               : "for a missing value write NA, or nothing between two delimiters");
  }

  void add_id(std::string id) {
    const Index line = lines_.number();
    if (id.empty()) fail(line, "the sample id is empty", "the first column holds the sample ids");
    if (!is_utf8(id)) fail(line, "the sample id is not UTF-8 text", utf8_hint);
    const auto [earlier, is_new] = line_of_id_.emplace(id, line);
    if (!is_new && !options_.repeated_names)
      fail(line, fmt::format("sample id '{}' is already in line {}", shown(id), earlier->second),
           "give every sample one row");
    table_.row_names.push_back(std::move(id));
    table_.lines.push_back(line);
  }

  /// Rows are read into blocks. Where the number of rows is known, a full block is copied to its
  /// place in the matrix. Else the blocks are kept to the end, so that a growing table is never
  /// copied.
  double* next_row() {
    const Index columns = static_cast<Index>(table_.column_names.size());
    const Index row = static_cast<Index>(table_.lines.size()) - 1;
    if (row % block_rows_ == 0) {
      if (in_place() && row >= table_.values.rows())
        throw InputError(fmt::format("{}: the file changed while it was read", table_.path));
      if (in_place() && row > 0)
        move_block(blocks_.back(), row - block_rows_, block_rows_);
      else if (options_.rows && row > 0)
        pass_on(block_rows_);
      else
        blocks_.emplace_back(block_rows_, columns);
    }
    return blocks_.back().row(row % block_rows_).data();
  }

  void pass_on(Index count) const {
    const RowMajor& block = blocks_.back();
    options_.rows(Eigen::Map<const Matrix>(block.data(), block.cols(), count));
  }

  bool in_place() const { return table_.values.size() > 0; }

  void move_block(const RowMajor& block, Index first, Index count) {
    table_.values.middleRows(first, count) = block.topRows(count);
  }

  /// Blanks, quotes, a plus sign, a missing value, a word, or an error.
  double slow_cell(CellReader& reader, std::size_t column) {
    const auto cell = reader.text();
    if (!cell) refuse_quotes(cell_place(column));
    double value = 0;
    if (parse_cell(*cell, options_, value)) return value;
    if (!options_.words)
      throw InputError(fmt::format("{}: '{}' is not a number", cell_place(column), shown(*cell)),
                       cell_hint(*cell));
    if (!is_utf8(*cell))
      throw InputError(fmt::format("{}: '{}' is not UTF-8 text", cell_place(column), shown(*cell)),
                       utf8_hint);
    table_.words.add(static_cast<Index>(table_.lines.size()) - 1, static_cast<Index>(column), *cell,
                     table_.path);
    return nan_value;
  }

  std::string cell_place(std::size_t column) const {
    return fmt::format("{}, column '{}'", lines_.place(), shown(table_.column_names[column]));
  }

  /// Numbers like 0.37 in the header that are not the id of a row: the table has no header.
  void check_header_is_no_row(Index line) const {
    bool any_fraction = false;
    for (const auto& name : table_.column_names) {
      double value = 0;
      if (line_of_id_.contains(name) || !parse_cell(name, options_, value)) return;
      any_fraction = any_fraction || (std::isfinite(value) && value != std::floor(value));
    }
    if (any_fraction)
      fail(line, "a header line is needed, but the first line holds numbers",
           "put the column names in the first line and the sample ids in the first column");
  }

  void check_column_names(Index line) const {
    std::unordered_set<std::string_view> seen;
    for (std::size_t j = 0; j < table_.column_names.size(); ++j) {
      const std::string& name = table_.column_names[j];
      if (name.empty())
        fail(line,
             fmt::format("value column {} of {} has no name", j + 1, table_.column_names.size()),
             "name every column, or remove a delimiter at the end of the lines");
      if (!is_utf8(name))
        fail(line, fmt::format("the name of value column {} is not UTF-8 text", j + 1), utf8_hint);
      if (!seen.insert(name).second && !options_.repeated_names)
        fail(line, fmt::format("two columns are named '{}'", shown(name)), "rename one of them");
    }
  }

  void place_blocks() {
    const Index rows = static_cast<Index>(table_.lines.size());
    if (options_.rows) return pass_on((rows - 1) % block_rows_ + 1);
    if (in_place()) {
      const Index first = (rows - 1) / block_rows_ * block_rows_;
      if (rows != table_.values.rows())
        throw InputError(fmt::format("{}: the file changed while it was read", table_.path));
      return move_block(blocks_.back(), first, rows - first);
    }
    make_values(rows);
    for (Index first = 0; first < rows; first += block_rows_) {
      RowMajor& block = blocks_[at(first / block_rows_)];
      move_block(block, first, std::min(block_rows_, rows - first));
      block.resize(0, 0);
    }
  }

  const TableOptions& options_;
  TextLines lines_;
  Table table_;
  Delimiter delimiter_ = Delimiter::blanks;
  Indices like_rows_;  // lines of comments that may be rows
  Index block_rows_ = 1;
  std::vector<RowMajor> blocks_;
  std::unordered_map<std::string, Index> line_of_id_;
};

}  // namespace

Table read_table(const std::string& path, const TableOptions& options) {
  return read_table(TextLines(path), options);
}

Table read_table(TextLines lines, const TableOptions& options) {
  return TableReader(std::move(lines), options).read();
}

}  // namespace mkc::io
