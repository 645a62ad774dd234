#include "formats/xlsx.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "formats/xlsx_dates.hpp"
#include "formats/xlsx_sheet.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr ZipKind xlsx_kind{"Excel workbook (.xlsx)", "part",
                            "save it as .xlsx without a password, or copy it again"};
constexpr std::string_view compound_file = "\xD0\xCF\x11\xE0";  // of .xls, and of encrypted files

const std::string& refuse_compound_file(const std::string& path) {
  const ByteSource source = file_bytes(path);
  std::string start(std::min<std::uint64_t>(source.size, compound_file.size()), '\0');
  source.read(start.data(), start.size());
  if (start == compound_file)
    throw InputError(path + ": an Excel file of the old kind (.xls), or one with a password",
                     "save it as .xlsx without a password, or as CSV");
  return path;
}

int style_number(std::string_view text) {
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The part that a relation of a part in `folder` leads to.
std::string resolved(const std::string& folder, std::string_view target) {
  if (target.starts_with('/')) return std::string(target.substr(1));
  std::string base = folder;
  for (; target.starts_with("../") && !base.empty(); target.remove_prefix(3)) {
    base.pop_back();
    base.erase(base.rfind('/') + 1);  // npos + 1 is 0
  }
  return base + std::string(target);
}

std::string folder_of(const std::string& part) { return part.substr(0, part.rfind('/') + 1); }

std::string relations_of(const std::string& part) {
  const std::string folder = folder_of(part);
  return folder + "_rels/" + part.substr(folder.size()) + ".rels";
}

}  // namespace

bool is_workbook_path(const std::string& path) {
  return has_extension(path, ".xlsx") || has_extension(path, ".xlsm");
}

Workbook::Workbook(const std::string& path)
    : path_(refuse_compound_file(path)), archive_(path, xlsx_kind) {
  for (std::size_t i = 0; i < archive_.members().size(); ++i)
    entries_.emplace(archive_.members()[i].name, i);
  const auto books = targets("", "officeDocument");
  const std::string book = books.empty() ? "xl/workbook.xml" : books.begin()->second;
  if (!has(book))
    throw InputError(fmt::format("{}: a ZIP archive, but not an Excel workbook (.xlsx)", path_),
                     "its sheets are found through xl/workbook.xml, which is not there");
  read_sheet_names(book);
  for (const auto& [id, part] : targets(book, "sharedStrings")) read_shared_texts(part);
  for (const auto& [id, part] : targets(book, "styles")) read_styles(part);
}

void Workbook::parse(const std::string& part, const XmlEvents& events) const {
  constexpr std::size_t block = std::size_t{1} << 16;
  const std::string where = path_ + ":" + shown(part);
  const auto found = entries_.find(part);
  if (found == entries_.end()) throw InputError(where + ": the part is not there", damaged);
  ZipEntry entry(archive_, found->second, where);
  XmlParser parser(where, events);
  std::array<char, block> buffer;
  for (std::uint64_t left = entry.size(); left > 0;) {
    const std::size_t count = std::min<std::uint64_t>(left, block);
    entry.read(buffer.data(), count);
    left -= count;
    parser.feed(buffer.data(), count, left == 0);
  }
  if (entry.size() == 0) parser.feed(nullptr, 0, true);
  entry.finish();
}

/// Parts that a part is related to in this way, by the ids of the relations.
std::unordered_map<std::string, std::string> Workbook::targets(const std::string& part,
                                                               const std::string& kind) const {
  std::unordered_map<std::string, std::string> found;
  const std::string relations = relations_of(part);
  if (!has(relations)) return found;
  const auto ignore = [](std::string_view) {};
  parse(relations, {[&](std::string_view name, const XmlAttributes& attributes) {
                      if (name != "Relationship" || !attributes.get("Type").ends_with("/" + kind))
                        return;
                      found.emplace(attributes.get("Id"),
                                    resolved(folder_of(part), attributes.get("Target")));
                    },
                    ignore, ignore});
  return found;
}

void Workbook::read_sheet_names(const std::string& part) {
  const auto worksheets = targets(part, "worksheet");
  const auto ignore = [](std::string_view) {};
  parse(part, {[&](std::string_view name, const XmlAttributes& attributes) {
                 const std::string_view epoch = attributes.get("date1904");
                 if (name == "workbookPr") from_1904_ = epoch == "1" || epoch == "true";
                 if (name != "sheet" || attributes.get("state").ends_with("idden")) return;
                 const auto target = worksheets.find(std::string(attributes.get("id")));
                 if (target == worksheets.end()) return;  // a chart
                 names_.emplace_back(attributes.get("name"));
                 parts_.push_back(target->second);
               },
               ignore, ignore});
  if (names_.empty()) throw InputError(path_ + ": the workbook holds no sheet", xlsx_kind.hint);
}

void Workbook::read_shared_texts(const std::string& part) {
  double taken = 0, checked = 0x1p22;
  bool inside = false;
  int phonetic = 0;
  parse(part, {[&](std::string_view name, const XmlAttributes&) {
                 if (name == "si") texts_.emplace_back();
                 inside = name == "t" && !texts_.empty();
                 phonetic += name == "rPh";
               },
               [&](std::string_view text) {
                 if (inside && phonetic == 0) texts_.back() += text;
               },
               [&](std::string_view name) {
                 inside = false;
                 phonetic -= name == "rPh";
                 if (name != "si") return;
                 taken += sizeof(std::string) + static_cast<double>(texts_.back().size());
                 if (taken <= checked) return;
                 check_memory(2 * taken, path_ + ": the texts of its cells");
                 checked = 2 * taken;
               }});
  for (auto& text : texts_) text = one_line_text(std::move(text));
}

void Workbook::read_styles(const std::string& part) {
  std::unordered_map<int, bool> custom;
  bool inside_cells = false;
  parse(part, {[&](std::string_view name, const XmlAttributes& attributes) {
                 const int format = style_number(attributes.get("numFmtId"));
                 if (name == "numFmt")
                   custom[format] = is_date_format(attributes.get("formatCode"));
                 if (name == "cellXfs") inside_cells = true;
                 if (name != "xf" || !inside_cells) return;
                 const auto own = custom.find(format);
                 is_date_.push_back(own == custom.end() ? is_date_format(format) : own->second);
               },
               [](std::string_view) {},
               [&](std::string_view name) { inside_cells = inside_cells && name != "cellXfs"; }});
}

SheetText Workbook::read(const std::string& sheet, CellsAs use) const {
  const auto found =
      sheet.empty() ? names_.begin() : std::find(names_.begin(), names_.end(), sheet);
  if (found == names_.end())
    throw InputError(
        fmt::format("{} has no sheet '{}'{}", path_, shown(sheet), suggestion(sheet, names_)),
        "its sheets are " + shown(names_));
  SheetText text{*found, "", {}};
  SheetReader reader(
      {fmt::format("{}, sheet '{}'", path_, shown(*found)), texts_, is_date_, from_1904_, use});
  parse(parts_[static_cast<std::size_t>(found - names_.begin())], reader.events());
  reader.finish(text);
  if (sheet.empty() && names_.size() > 1)
    text.notices.push_back(
        fmt::format("the first of {} sheets, '{}', is read; {}:SHEET chooses: {}", names_.size(),
                    shown(*found), path_, shown(names_)));
  return text;
}

}  // namespace mkc::io
