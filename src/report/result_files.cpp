#include "report/result_files.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "formats/cells.hpp"
#include "formats/csv.hpp"
#include "formats/files.hpp"
#include "formats/text_lines.hpp"
#include "mkc/base/error.hpp"

namespace mkc::report {

namespace fs = std::filesystem;

namespace {

// A table with given rows and columns.
Matrix read_named(const fs::path& path, const Strings& rows, const Strings& columns) {
  io::Table table = io::read_table(path.string(), {.names_views = true});
  if (table.row_names != rows || table.column_names != columns)
    throw InputError(
        fmt::format("{}: its rows and columns are not those of the kernels", path.string()),
        "the files of a result must be of one run: run mkc complete again");
  return std::move(table.values);
}

std::optional<Matrix> read_if_there(const fs::path& path, const Strings& rows,
                                    const Strings& columns) {
  if (!fs::exists(path)) return std::nullopt;
  return read_named(path, rows, columns);
}

double number(const std::string& cell) {
  double value = std::numeric_limits<double>::quiet_NaN();
  return parse_number(cell, value) ? value : std::numeric_limits<double>::quiet_NaN();
}

std::optional<RowErrors> read_errors(const fs::path& path, const Strings& samples,
                                     const Strings& views) {
  if (!fs::exists(path)) return std::nullopt;
  const Strings expected = {"sample", "view", "observed_views", "relative_error", "low", "high"};
  // A line at a time: in factor form there may be millions. Later versions add columns.
  io::TextLines lines(path.string());
  const auto header = lines.next_row();
  const Strings columns =
      header ? io::cells_of(*header, io::Delimiter::tab, lines.place()) : Strings();
  if (columns.size() < expected.size() ||
      !std::equal(expected.begin(), expected.end(), columns.begin()))
    throw InputError(
        fmt::format("{}: its first columns are not {}", path.string(), join(expected)));
  const Places row_of = places_of(samples), column_of = places_of(views);
  const Matrix nothing =
      Matrix::Constant(static_cast<Index>(samples.size()), static_cast<Index>(views.size()),
                       std::numeric_limits<double>::quiet_NaN());
  RowErrors errors{nothing, nothing, nothing};
  while (const auto line = lines.next_row()) {
    const Strings cells = io::cells_of(*line, io::Delimiter::tab, lines.place());
    if (cells.size() != columns.size())
      throw InputError(fmt::format("{}: {} cells, the header has {}", lines.place(), cells.size(),
                                   columns.size()));
    const auto row = row_of.find(cells[0]), column = column_of.find(cells[1]);
    if (row == row_of.end() || column == column_of.end())
      throw InputError(fmt::format("{}: the result has no sample '{}' or no view '{}'",
                                   lines.place(), cells[0], cells[1]));
    errors.error(row->second, column->second) = number(cells[3]);
    errors.low(row->second, column->second) = number(cells[4]);
    errors.high(row->second, column->second) = number(cells[5]);
  }
  return errors;
}

// Version 0.1 called the mean of the other views "mean_fill".
std::optional<Matrix> read_truth(const fs::path& path, const Strings& views) {
  if (!fs::exists(path)) return std::nullopt;
  const io::Table table = io::read_table(path.string(), {.names_views = true});
  const bool old = table.column_names == Strings{"error", "mean_fill"};
  return read_named(path, views, {"error", old ? "mean_fill" : "mean_of_others"});
}

}  // namespace

Json read_meta(const fs::path& folder) {
  Json meta = Json::parse(io::read_if_there((folder / "meta_info.json").string()), nullptr, false);
  if (!meta.is_object())
    throw InputError(
        fmt::format("'{}' is not a result: it has no readable meta_info.json", folder.string()),
        "give the folder that 'mkc complete ... -o DIR' or 'mkc evaluate ... -o DIR' wrote");
  // Added when the result is moved into place, after its report is made.
  for (const char* key : {"command", "files"}) meta.erase(key);
  return meta;
}

ResultFiles read_result_files(const fs::path& folder, const Strings& samples,
                              const Strings& views) {
  ResultFiles files;
  files.meta = read_meta(folder);
  files.observed = read_named(folder / "observed.tsv", samples, views).array() != 0;
  files.relations = read_if_there(folder / "view_relations.tsv", views, views);
  files.uncertainty = read_if_there(folder / "uncertainty.tsv", samples, views);
  files.errors = read_errors(folder / "quality.tsv", samples, views);
  files.truth = read_truth(folder / "truth.tsv", views);
  return files;
}

}  // namespace mkc::report
