#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/raw_table.hpp"
#include "formats/files.hpp"
#include "formats/mtx.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

struct IdFile {
  std::string path;
  Strings ids;
};

/// "dir/bbc.mtx.gz" -> "dir/bbc"
std::string stem_of(std::string path) {
  if (has_extension(path, ".gz")) path.erase(path.size() - 3);
  return path.substr(0, path.size() - 4);
}

const Strings sample_extensions = {".docs", ".samples"};
const Strings feature_extensions = {".terms", ".features"};

/// The first file beside the matrix with one of these extensions, plain or gzip; "" for none. A
/// pipe or a link to nothing is found as well: reading it says so, where without it rows would be
/// counted.
std::string file_beside(const std::string& path, const Strings& extensions) {
  for (const auto& extension : extensions)
    for (const char* packed : {"", ".gz"}) {
      const std::string file = stem_of(path) + extension + packed;
      std::error_code ignored;
      const auto found = std::filesystem::symlink_status(file, ignored);
      if (std::filesystem::exists(found) && !std::filesystem::is_directory(file, ignored))
        return file;
    }
  return {};
}

std::optional<IdFile> find_ids(const std::string& path, const Strings& extensions) {
  IdFile file{file_beside(path, extensions), {}};
  if (file.path.empty()) return std::nullopt;
  file.ids = read_id_lines(file.path);
  check_ids(file.ids, file.path);
  return file;
}

bool counts(const std::optional<IdFile>& file, Index size) {
  return file && static_cast<Index>(file->ids.size()) == size;
}

/// Whether samples are the columns: as many sample ids, or features as rows.
bool samples_are_columns(const Matrix& values, const std::optional<IdFile>& samples,
                         const std::optional<IdFile>& features) {
  if (samples && counts(samples, values.cols()) != counts(samples, values.rows()))
    return counts(samples, values.cols());
  return counts(features, values.rows()) && !counts(features, values.cols());
}

void check_count(const IdFile& file, Index size, const char* side, const std::string& path) {
  if (static_cast<Index>(file.ids.size()) != size)
    throw InputError(fmt::format("{}: {} id{} for {} with {} {}", file.path, file.ids.size(),
                                 file.ids.size() == 1 ? "" : "s", path, size, side),
                     "an id file has one line per row or column of its matrix");
}

}  // namespace

Strings id_files_beside(const std::string& path) {
  Strings files;
  if (has_extension(path, ".npy"))
    if (std::string file = file_beside(path, sample_extensions); !file.empty())
      files.push_back(file);
  if (!has_extension(path, ".mtx") && !has_extension(path, ".mtx.gz")) return files;
  for (const auto& extensions : {sample_extensions, feature_extensions})
    if (std::string file = file_beside(path, extensions); !file.empty()) files.push_back(file);
  return files;
}

void take_ids_beside(const std::string& path, RawTable& table) {
  auto samples = find_ids(path, sample_extensions);
  if (!samples) return number_rows(table);
  check_count(*samples, rows_of(table), "samples", path);
  table.row_names = std::move(samples->ids);
}

RawTable table_of_mtx(const ViewSpec& spec) {
  RawTable table = new_table(view_name(spec), spec.path);
  table.values = read_mtx(spec.path);
  auto samples = find_ids(spec.path, sample_extensions);
  auto features = find_ids(spec.path, feature_extensions);
  const SamplesIn asked = asked_side(spec);
  const bool columns = asked == SamplesIn::automatic
                           ? samples_are_columns(table.values, samples, features)
                           : asked == SamplesIn::columns;
  if (columns) turn(table);
  if (columns && asked == SamplesIn::automatic)
    table.notices.push_back(fmt::format("samples are in the columns, according to {}",
                                        samples ? samples->path : features->path));
  if (samples) check_count(*samples, table.values.rows(), "samples", spec.path);
  if (features) check_count(*features, table.values.cols(), "features", spec.path);
  if (samples)
    table.row_names = std::move(samples->ids);
  else
    number_rows(table);
  // A matrix with names of features is not a kernel, even if it is square.
  table.kind = spec.kind || !features ? spec.kind : std::optional(ViewKind::features);
  if (features) table.column_names = std::move(features->ids);
  return table;
}

}  // namespace mkc::io
