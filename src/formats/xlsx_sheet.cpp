#include "formats/xlsx_sheet.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "formats/tables_out.hpp"
#include "formats/xlsx_dates.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr Index most_rows = 1048576, most_columns = 16384;  // of the format

struct Place {
  Index row = 0, column = 0;  // from 1
};

/// "B7"; nothing where the text is not the name of a cell.
std::optional<Place> parse_place(std::string_view name) {
  Place place;
  std::size_t at = 0;
  for (; at < name.size() && name[at] >= 'A' && name[at] <= 'Z' && at < 4; ++at)
    place.column = 26 * place.column + (name[at] - 'A' + 1);
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + at, end, place.row);
  const bool whole = error == std::errc() && stop == end;
  if (!whole || place.row < 1 || place.row > most_rows || place.column < 1 ||
      place.column > most_columns)
    return std::nullopt;
  return place;
}

Index parse_index(std::string_view text, Index most) {
  Index number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && stop == text.data() + text.size() && number >= 0 && number <= most
             ? number
             : -1;
}

bool is_true(std::string_view text) { return text == "1" || text == "true"; }

}  // namespace

std::string one_line_text(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string cell_name(Index row, Index column) {
  std::string letters;
  for (; column > 0; column = (column - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('A' + (column - 1) % 26));
  return letters + std::to_string(row);
}

XmlEvents SheetReader::events() {
  return {[this](std::string_view name, const XmlAttributes& given) { start(name, given); },
          [this](std::string_view text) {
            if (inside_value_ && phonetic_ == 0) cell_.text += text;
          },
          [this](std::string_view name) { end(name); }};
}

void SheetReader::start(std::string_view name, const XmlAttributes& attributes) {
  if (name == "row") {
    start_row(attributes);
  } else if (name == "c") {
    start_cell(attributes);
  } else if (name == "v" || name == "t") {
    inside_value_ = true;
  } else if (name == "f") {
    cell_.formula = true;
  } else if (name == "rPh") {
    ++phonetic_;
  } else if (name == "col" && is_true(attributes.get("hidden"))) {
    hidden_columns_.emplace_back(parse_index(attributes.get("min"), most_columns),
                                 parse_index(attributes.get("max"), most_columns));
  } else if (name == "mergeCell") {
    refuse_merged(attributes.get("ref"));
  }
}

void SheetReader::end(std::string_view name) {
  if (name == "c")
    end_cell();
  else if (name == "row")
    end_row();
  else if (name == "v" || name == "t")
    inside_value_ = false;
  else if (name == "rPh")
    --phonetic_;
}

void SheetReader::start_row(const XmlAttributes& attributes) {
  const std::string_view given = attributes.get("r");
  const Index row = given.empty() ? row_ + 1 : parse_index(given, most_rows);
  if (row <= row_ || row > most_rows)
    throw InputError(fmt::format("{}: row '{}' after row {}", context_.where, shown(given), row_),
                     damaged);
  row_ = row;
  column_ = 0;
  row_is_hidden_ = is_true(attributes.get("hidden"));
  const auto width = cells_.size();
  cells_.assign(header_row_ == 0 ? 0 : width, "");
}

void SheetReader::start_cell(const XmlAttributes& attributes) {
  const std::string_view given = attributes.get("r");
  const Place place =
      given.empty() ? Place{row_, column_ + 1} : parse_place(given).value_or(Place{});
  if (place.row != row_ || place.column > most_columns)
    throw InputError(fmt::format("{}: cell '{}' in row {}", context_.where, shown(given), row_),
                     damaged);
  column_ = place.column;
  const Index style = parse_index(attributes.get("s"), Index{1} << 30);
  const bool dated =
      style >= 0 && at(style) < context_.is_date.size() && context_.is_date[at(style)];
  cell_ = {row_, column_, std::string(attributes.get("t")), dated, false, ""};
}

bool SheetReader::is_name() const {
  return header_row_ == 0 || cell_.row == header_row_ || cell_.column == 1;
}

void SheetReader::fail(const std::string& what, const std::string& hint) const {
  throw InputError(
      fmt::format("{}, cell {}: {}", context_.where, cell_name(cell_.row, cell_.column), what),
      hint);
}

std::string SheetReader::date_text(const std::string& date) const {
  if (is_name())
    fail(fmt::format("a date, {}, where {} is expected", shown(date),
                     cell_.column == 1 && header_row_ != 0 ? "an id" : "a column name"),
         "spreadsheets turn names such as SEPT2 or MARCH1 into dates: write the name again, as "
         "text");
  return date;
}

/// As the file has it for a view; names and words as they are shown: 12, not 1.2E1.
std::string SheetReader::number_text() const {
  double value = 0;
  if (!parse_number(cell_.text, value)) fail("not a number", damaged);
  if (cell_.date) {
    const std::string date = iso_date(value, context_.from_1904);
    if (!date.empty()) return date_text(date);
  }
  if (!is_name() && context_.use == CellsAs::numbers) return cell_.text;
  return format_number(value);
}

std::string SheetReader::content() {
  std::string text = one_line_text(std::move(cell_.text));
  cell_.text = text;
  const std::string& type = cell_.type;
  if (cell_.formula && text.empty() && type != "str")
    fail("a formula whose value is not stored", "open and save the file in a spreadsheet program");
  if (text.empty() || type == "inlineStr" || type == "str") return text;
  if (type == "s") {
    const Index number = parse_index(text, Index{1} << 40);
    if (number < 0 || at(number) >= context_.texts.size())
      fail(fmt::format("text {} of {}", shown(text), context_.texts.size()), damaged);
    return context_.texts[at(number)];
  }
  if (type == "b") {
    const bool yes = is_true(text);
    if (context_.use == CellsAs::words || is_name()) return yes ? "TRUE" : "FALSE";
    return yes ? "1" : "0";
  }
  if (type == "e") {
    if (is_name()) fail(fmt::format("the error {}", shown(text)), "write the name again");
    return text == "#N/A" ? "NA" : text;
  }
  return type == "d" ? date_text(text) : number_text();
}

void SheetReader::end_cell() {
  std::string text = content();
  if (text.empty()) return;
  if (at(cell_.column) > cells_.size()) {
    if (header_row_ != 0)
      fail(fmt::format("'{}' is beyond the header, which ends in cell {}", shown(text),
                       cell_name(header_row_, static_cast<Index>(cells_.size()))),
           "name every column in the header, and delete what is beside the table");
    cells_.resize(at(cell_.column));
  }
  cells_[at(cell_.column - 1)] = std::move(text);
}

void SheetReader::append(std::string_view text) {
  text_ += text;
  if (text_.size() <= checked_bytes_) return;
  check_memory(2 * static_cast<double>(text_.size()), context_.where + ": the text of its cells");
  checked_bytes_ = 2 * text_.size();
}

void SheetReader::end_row() {
  const auto is_empty = [](const std::string& cell) { return cell.empty(); };
  if (std::all_of(cells_.begin(), cells_.end(), is_empty)) return;
  if (header_row_ == 0) {
    if (cells_.size() < 2)
      throw InputError(
          fmt::format("{}: row {} holds one cell only, '{}', and no column names", context_.where,
                      row_, shown(cells_.front())),
          "the first row is the header, the first column holds the ids: delete titles above it");
    header_row_ = row_;
  }
  for (; lines_ + 1 < row_; ++lines_) append("\n");
  for (std::size_t j = 0; j < cells_.size(); ++j) {
    if (j > 0) append("\t");
    append(tsv_cell(cells_[j]));
  }
  append("\n");
  ++lines_;
  ++rows_;
  if (!row_is_hidden_) return;
  if (hidden_rows_++ == 0) first_hidden_row_ = row_;
}

/// Of merged cells only the first has a value: the others would be missing.
void SheetReader::refuse_merged(std::string_view reference) const {
  const auto colon = reference.find(':');
  if (colon == std::string_view::npos) return;
  const auto first = parse_place(reference.substr(0, colon)),
             last = parse_place(reference.substr(colon + 1));
  if (!first || !last)
    throw InputError(fmt::format("{}: merged cells '{}'", context_.where, shown(reference)),
                     damaged);
  const bool one = first->row == last->row && first->column == last->column;
  const bool beside = last->row < header_row_ || first->row > lines_ ||
                      at(first->column) > cells_.size() || header_row_ == 0;
  if (one || beside) return;
  throw InputError(fmt::format("{}: the cells {} are merged, so that only the first has a value",
                               context_.where, shown(reference)),
                   "split them, and write the value into every cell");
}

void SheetReader::finish(SheetText& sheet) {
  if (header_row_ == 0)
    throw InputError(context_.where + ": the sheet is empty",
                     "a header and one row per sample are needed");
  // As numbers twice, while they are put together; as words, each with its own memory.
  const double bytes_per_cell =
      context_.use == CellsAs::numbers ? 2 * sizeof(double) : sizeof(std::string);
  const double cells = static_cast<double>(rows_) * static_cast<double>(cells_.size());
  check_memory(bytes_per_cell * cells,
               fmt::format("{}: {} x {} cells", context_.where, rows_, cells_.size()));
  if (hidden_rows_ > 0)
    sheet.notices.push_back(fmt::format("{} hidden rows are read too, the first is row {}",
                                        hidden_rows_, first_hidden_row_));
  for (const auto& [first, last] : hidden_columns_)
    if (first >= 1 && at(first) <= cells_.size() && last >= first) {
      const Index end = std::min(last, static_cast<Index>(cells_.size()));
      sheet.notices.push_back(fmt::format("hidden columns are read too: {} to {}",
                                          cell_name(header_row_, first),
                                          cell_name(header_row_, end)));
    }
  sheet.text = std::move(text_);
}

}  // namespace mkc::io
