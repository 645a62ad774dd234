#include "formats/tables_out.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <unordered_set>

#include <fmt/format.h>

#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::size_t block_size = std::size_t{1} << 18;
constexpr std::size_t longest_file_name = 200;

/// A gzip file being written. zlib leaves the time in its header zero. Level 1: digits of numbers
/// hardly compress further (level 6 saves 6 % more and takes five times as long).
class GzipFile {
 public:
  explicit GzipFile(const std::string& path) : path_(path) {
    errno = 0;
    file_.reset(gzopen(path.c_str(), "wb1"));
    if (!file_) throw OutputError(path_, reason(errno));
  }

  void write(std::string_view bytes) {
    errno = 0;
    if (!bytes.empty() &&
        gzwrite(file_.get(), bytes.data(), static_cast<unsigned>(bytes.size())) == 0)
      throw OutputError(path_, reason(errno));
  }

  void close() {
    errno = 0;
    if (gzclose(file_.release()) != Z_OK) throw OutputError(path_, reason(errno));
  }

 private:
  struct Close {
    void operator()(gzFile file) const noexcept { gzclose(file); }
  };

  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
};

void append_number(fmt::memory_buffer& text, double value) {
  if (std::isnan(value))
    text.append(std::string_view("NA"));
  else
    fmt::format_to(std::back_inserter(text), "{}", value);
}

void check_sizes(const Strings& row_ids, const Strings& column_ids, const Matrix& values) {
  if (static_cast<Index>(row_ids.size()) != values.rows() ||
      static_cast<Index>(column_ids.size()) != values.cols())
    throw std::invalid_argument(fmt::format("a table of {} x {} names for {} x {} values",
                                            row_ids.size(), column_ids.size(), values.rows(),
                                            values.cols()));
}

/// A name as a cell, quoted where it holds one of `special`, begins with '#' or has blanks at an
/// end.
std::string cell(const std::string& name, const char* special) {
  const bool plain = name.find_first_of(special) == std::string::npos && !name.starts_with('#') &&
                     !name.starts_with(' ') && !name.ends_with(' ');
  if (plain) return name;
  std::string cell = "\"";
  for (const char c : name) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + '"';
}

/// How the cells of a table are separated, and how names are written as cells.
struct Tabs {
  static constexpr char delimiter = '\t';
  static std::string name(const std::string& text) { return tsv_cell(text); }
};
struct Commas {
  static constexpr char delimiter = ',';
  static std::string name(const std::string& text) { return csv_cell(text); }
};

template <class File, class Cells>
void write_table(const std::string& path, const Strings& row_ids, const Strings& column_ids,
                 const Matrix& values, const std::string& corner, const ColumnWords& words) {
  check_sizes(row_ids, column_ids, values);
  if (!words.empty() && words.size() != column_ids.size())
    throw std::invalid_argument("words for another number of columns");
  File file(path);
  fmt::memory_buffer text;
  text.append(Cells::name(corner));
  for (const auto& id : column_ids) {
    text.push_back(Cells::delimiter);
    text.append(Cells::name(id));
  }
  text.push_back('\n');
  for (Index i = 0; i < values.rows(); ++i) {
    text.append(Cells::name(row_ids[at(i)]));
    for (Index j = 0; j < values.cols(); ++j) {
      text.push_back(Cells::delimiter);
      if (words.empty() || words[at(j)] == nullptr || std::isnan(values(i, j)))
        append_number(text, values(i, j));
      else
        text.append(Cells::name(words[at(j)]->at(static_cast<std::size_t>(values(i, j)))));
    }
    text.push_back('\n');
    if (text.size() < block_size) continue;
    file.write({text.data(), text.size()});
    text.clear();
  }
  file.write({text.data(), text.size()});
  file.close();
}

}  // namespace

void write_matrix_tsv(const std::string& path, const Strings& row_ids, const Strings& column_ids,
                      const Matrix& values, const std::string& corner, const ColumnWords& words) {
  write_table<OutputFile, Tabs>(path, row_ids, column_ids, values, corner, words);
}

void write_matrix_tsv_gz(const std::string& path, const Strings& row_ids, const Strings& column_ids,
                         const Matrix& values, const std::string& corner,
                         const ColumnWords& words) {
  write_table<GzipFile, Tabs>(path, row_ids, column_ids, values, corner, words);
}

void write_matrix_csv(const std::string& path, const Strings& row_ids, const Strings& column_ids,
                      const Matrix& values, const std::string& corner, const ColumnWords& words) {
  write_table<OutputFile, Commas>(path, row_ids, column_ids, values, corner, words);
}

void write_matrix_csv_gz(const std::string& path, const Strings& row_ids, const Strings& column_ids,
                         const Matrix& values, const std::string& corner,
                         const ColumnWords& words) {
  write_table<GzipFile, Commas>(path, row_ids, column_ids, values, corner, words);
}

bool is_table_name(const std::string& name) {
  for (const char* extension : {".csv", ".csv.gz", ".tsv", ".tsv.gz"})
    if (has_extension(name, extension)) return true;
  return false;
}

void write_matrix_table(const std::string& path, const std::string& name, const Strings& row_ids,
                        const Strings& column_ids, const Matrix& values, const std::string& corner,
                        const ColumnWords& words) {
  const bool packed = has_extension(name, ".gz");
  const bool commas = has_extension(name, ".csv") || has_extension(name, ".csv.gz");
  const auto write = commas ? (packed ? write_matrix_csv_gz : write_matrix_csv)
                            : (packed ? write_matrix_tsv_gz : write_matrix_tsv);
  write(path, row_ids, column_ids, values, corner, words);
}

std::string tsv_cell(const std::string& name) { return cell(name, "\t\"\n\r"); }

// Tabs and semicolons too: readers guess the delimiter from those they find.
std::string csv_cell(const std::string& name) { return cell(name, ",;\t\"\n\r"); }

std::string file_name_for(const std::string& view) {
  std::string name = view.substr(0, longest_file_name);
  while (name.size() < view.size() && !name.empty() &&
         (static_cast<unsigned char>(view[name.size()]) & 0xC0) == 0x80)
    name.pop_back();  // not in the middle of a character
  for (char& c : name)
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '_';
  if (name.empty()) return "view";
  if (name.front() == '.') name.front() = '_';
  return name;
}

Strings file_names_for(const Strings& views) {
  Strings names;
  std::unordered_set<std::string> taken;
  for (const auto& view : views) {
    const std::string base = file_name_for(view);
    std::string name = base;
    for (int copy = 2; !taken.insert(name).second; ++copy) name = fmt::format("{}_{}", base, copy);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace mkc::io
