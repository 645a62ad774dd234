#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "formats/xml_events.hpp"
#include "formats/zip_read.hpp"
#include "mkc/base/types.hpp"

namespace mkc::io {

/// .xlsx and .xlsm
bool is_workbook_path(const std::string& path);

/// How cells are read: for a view TRUE is 1; for labels it is a word, and 0.1 is not
/// 0.10000000000000001, as it is in the file.
enum class CellsAs { numbers, words };

/// A sheet as if it had been saved as tab-separated text: line n is row n of the sheet.
struct SheetText {
  std::string name;
  std::string text;
  Strings notices;
};

/// A workbook of Excel, LibreOffice and others (.xlsx, .xlsm: Office Open XML).
///
/// The first row that is not empty is the header; every other row has its width. Of formulas the
/// stored values are read, #N/A is missing, dates are written as 2001-09-02. InputError, which
/// names the cell, for a date among the ids or column names (as spreadsheets make of gene names),
/// merged cells, a formula without its value, and cells beyond the header.
class Workbook {
 public:
  explicit Workbook(const std::string& path);

  const Strings& sheets() const { return names_; }  // that are not hidden, in their order

  /// The sheet of that name, or where it is "" the first.
  SheetText read(const std::string& sheet, CellsAs use) const;

 private:
  void parse(const std::string& part, const XmlEvents& events) const;
  bool has(const std::string& part) const { return entries_.contains(part); }
  std::unordered_map<std::string, std::string> targets(const std::string& part,
                                                       const std::string& kind) const;
  void read_sheet_names(const std::string& part);
  void read_shared_texts(const std::string& part);
  void read_styles(const std::string& part);

  std::string path_;
  ZipReader archive_;
  std::unordered_map<std::string, std::size_t> entries_;  // place in the archive
  Strings names_, parts_;                                 // of the sheets
  Strings texts_;                                         // that cells share
  std::vector<bool> is_date_;                             // of every style
  bool from_1904_ = false;                                // dates count from there
};

}  // namespace mkc::io
