#pragma once

#include "formats/xlsx.hpp"

namespace mkc::io {

/// What the cells of a sheet refer to.
struct SheetContext {
  std::string where;  // "x.xlsx, sheet 'rna'"
  const Strings& texts;
  const std::vector<bool>& is_date;
  bool from_1904;
  CellsAs use;
};

/// Puts a sheet together as text, from the events of its part.
class SheetReader {
 public:
  explicit SheetReader(SheetContext context) : context_(std::move(context)) {}

  XmlEvents events();

  /// After the last event.
  void finish(SheetText& sheet);

 private:
  struct Cell {
    Index row = 0, column = 0;  // from 1
    std::string type;
    bool date = false, formula = false;
    std::string text;
  };

  void start(std::string_view name, const XmlAttributes& attributes);
  void end(std::string_view name);
  void start_row(const XmlAttributes& attributes);
  void start_cell(const XmlAttributes& attributes);
  void end_cell();
  void end_row();
  void refuse_merged(std::string_view reference) const;
  std::string content();  // of the cell that ends
  std::string number_text() const;
  std::string date_text(const std::string& date) const;
  bool is_name() const;  // the cell is an id or a column name
  void append(std::string_view text);
  [[noreturn]] void fail(const std::string& what, const std::string& hint) const;

  SheetContext context_;
  std::string text_;
  std::size_t checked_bytes_ = std::size_t{1} << 22;  // of the text, known to fit into memory
  Strings cells_;                                     // of the row
  Index row_ = 0, column_ = 0;                        // of the last cell
  Index header_row_ = 0, lines_ = 0, rows_ = 0;
  bool row_is_hidden_ = false, inside_value_ = false;
  int phonetic_ = 0;  // inside a pronunciation, which is not part of the text
  Cell cell_;
  Index hidden_rows_ = 0, first_hidden_row_ = 0;
  std::vector<std::pair<Index, Index>> hidden_columns_;
};

/// "AB12" of a row and a column, both from 1.
std::string cell_name(Index row, Index column);

/// Without blanks at its ends, and with blanks for the ends of lines inside.
std::string one_line_text(std::string text);

}  // namespace mkc::io
