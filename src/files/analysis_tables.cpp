#include "files/analysis_tables.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "formats/cells.hpp"
#include "formats/files.hpp"
#include "formats/sha256.hpp"
#include "formats/tables_out.hpp"
#include "formats/text_table.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/output_folder.hpp"

namespace mkc::io {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::string embedding_hint = "'mkc embed RESULT -o FILE' writes such a table";
const std::string clusters_hint = "'mkc cluster RESULT -o FILE' writes such a table";
const std::string drivers_hint = "'mkc drivers RESULT VIEW ... -o FILE' writes such a table";
const Strings driver_columns = {"view",        "feature", "target", "measure",
                                "association", "samples", "rank"};

double number_in(const TextTable& table, std::size_t row, std::size_t column) {
  const std::string& cell = table.rows[row][column];
  double value = nan;
  if (is_missing_word(cell) || cell.empty()) return nan;
  if (!parse_number(cell, value))
    throw InputError(fmt::format("{}, line {}, column '{}': '{}' is not a number", table.path,
                                 table.lines[row], table.header[column], shown(cell)));
  return value;
}

// The row of every sample.
std::vector<std::size_t> rows_of(const TextTable& table, const Strings& samples,
                                 const std::string& hint) {
  std::unordered_map<std::string, std::size_t> rows;
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    if (!rows.emplace(table.rows[r].front(), r).second)
      throw InputError(fmt::format("{}, line {}: sample '{}' is there twice", table.path,
                                   table.lines[r], shown(table.rows[r].front())));
  std::vector<std::size_t> found;
  for (const auto& sample : samples) {
    const auto row = rows.find(sample);
    if (row == rows.end())
      throw InputError(
          fmt::format("{}: sample '{}' of the result is not in it", table.path, shown(sample)),
          hint + ", for the same result");
    found.push_back(row->second);
  }
  return found;
}

Index whole_number(const TextTable& table, std::size_t row, std::size_t column,
                   const std::string& hint) {
  const double value = number_in(table, row, column);
  if (!(value >= 1) || value != std::floor(value) || value > 1e9)
    throw InputError(
        fmt::format("{}, line {}, column '{}': '{}' is not a whole number from 1", table.path,
                    table.lines[row], table.header[column], shown(table.rows[row][column])),
        hint);
  return static_cast<Index>(value);
}

// Whether a description is about the table with these clusters: a run that was killed between the
// two files, or an edit, leaves one that is not. Files of version 0.1 have no hash of the table.
bool is_about(const nlohmann::json& about, const std::string& table, const Labels& clusters) {
  if (about.contains("table_sha256")) return about["table_sha256"] == sha256_of_file(table);
  nlohmann::json sizes = nlohmann::json::array();
  for (std::size_t c = 0; c < clusters.classes.size(); ++c)
    sizes.push_back(
        std::count(clusters.of_sample.begin(), clusters.of_sample.end(), static_cast<Index>(c)));
  return about.value("sizes", nlohmann::json()) == sizes;
}

// What the JSON file beside a table of clusters says, where it is about these clusters.
void read_evidence(const std::string& table, StoredClusters& clusters) {
  const std::string path = json_beside(table);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  const auto about = nlohmann::json::parse(read_whole_file(path), nullptr, false);
  if (!about.is_object() || about.value("command", nlohmann::json()) != "cluster") return;
  if (!is_about(about, table, clusters.labels)) {
    clusters.notices = {fmt::format(
        "'{}' is about another table than '{}', so what it says is left out: write both again "
        "with mkc cluster",
        path, table)};
    clusters.is_described = false;
    return;
  }
  const auto text = [](const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>() : "";
  };
  const auto number = [&](const char* key) {
    const auto value = about.value(key, nlohmann::json());
    return value.is_number() ? value.get<double>() : nan;
  };
  clusters.graph = text(about.value("graph", nlohmann::json()));
  clusters.stability = number("stability");
  clusters.reference = number("reference");
  for (const auto& notice : about.value("notices", nlohmann::json::array()))
    clusters.notices.push_back(text(notice));
}

}  // namespace

std::string json_beside(const std::string& table) {
  std::filesystem::path path(table);
  if (path.extension() == ".gz") path.replace_extension();
  return path.replace_extension(".json").string();
}

void refuse_foreign_description(const std::string& path) {
  std::error_code missing;
  if (!std::filesystem::exists(path, missing)) return;
  const auto json = nlohmann::json::parse(read_if_there(path), nullptr, false);
  if (!json.is_object() || !json.contains("mkc_version") || !json.contains("command_line"))
    throw OptionError(
        fmt::format("'{}', which would describe the output, is not a file of mkc", path),
        "choose another name for the output, or move that file");
}

void write_embedding(const std::string& path, const std::string& name, const Strings& samples,
                     const Embedding& embedding) {
  Strings axes;
  for (Index a = 1; a <= embedding.coordinates.cols(); ++a)
    axes.push_back(fmt::format("axis_{}", a));
  write_matrix_table(path, name, samples, axes, embedding.coordinates);
}

void write_clusters(const std::string& path, const std::string& name, const Strings& samples,
                    const Clustering& clustering) {
  Matrix values(static_cast<Index>(samples.size()), 4);
  for (Index i = 0; i < values.rows(); ++i) {
    const Index next = clustering.next[at(i)];
    values.row(i) << static_cast<double>(clustering.of_sample[at(i)] + 1), clustering.strength(i),
        next < 0 ? nan : static_cast<double>(next + 1),
        next < 0 ? nan : clustering.next_strength(i);
  }
  write_matrix_table(path, name, samples, {"cluster", "strength", "next_cluster", "next_strength"},
                     values);
}

void write_drivers(const std::string& path, const std::string& name,
                   const std::vector<Driver>& drivers) {
  const bool commas = name.ends_with(".csv");
  const auto cell = [&](const std::string& text) {
    return commas ? csv_cell(text) : tsv_cell(text);
  };
  const std::string between = commas ? "," : "\t";
  std::string text = join(driver_columns, between) + "\n";
  for (const auto& one : drivers)
    text += join({cell(one.view), cell(one.feature), cell(one.target), one.measure,
                  std::isnan(one.association) ? "NA" : fmt::format("{:.6g}", one.association),
                  std::to_string(one.samples), std::to_string(one.rank)},
                 between) +
            "\n";
  write_text_file(path, text);
}

StoredAxes read_embedding(const std::string& path, const Strings& samples) {
  const TextTable table = read_text_table(path);
  if (table.header.size() < 2)
    throw InputError(fmt::format("{}: there are no axes beside the sample ids", path),
                     embedding_hint);
  const auto rows = rows_of(table, samples, embedding_hint);
  StoredAxes axes;
  axes.names.assign(table.header.begin() + 1, table.header.end());
  axes.coordinates.resize(static_cast<Index>(samples.size()),
                          static_cast<Index>(axes.names.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t a = 0; a < axes.names.size(); ++a) {
      const double value = number_in(table, rows[i], a + 1);
      if (!std::isfinite(value))
        throw InputError(fmt::format("{}, line {}: '{}' has no value", path, table.lines[rows[i]],
                                     shown(axes.names[a])),
                         embedding_hint);
      axes.coordinates(static_cast<Index>(i), static_cast<Index>(a)) = value;
    }
  return axes;
}

StoredClusters read_clusters(const std::string& path, const Strings& samples) {
  const TextTable table = read_text_table(path);
  const std::size_t cluster = column_of(table, "cluster", clusters_hint, 1),
                    strength = column_of(table, "strength", clusters_hint, 1);
  const auto rows = rows_of(table, samples, clusters_hint);
  StoredClusters result;
  result.strength.resize(static_cast<Index>(samples.size()));
  Index most = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Index c = whole_number(table, rows[i], cluster, clusters_hint);
    if (c > static_cast<Index>(samples.size()))
      throw InputError(fmt::format("{}, line {}: cluster {} of {} samples", path,
                                   table.lines[rows[i]], c, samples.size()),
                       clusters_hint);
    most = std::max(most, c);
    result.labels.of_sample.push_back(c - 1);
    result.strength(static_cast<Index>(i)) = number_in(table, rows[i], strength);
  }
  result.labels.classes = cluster_names(most);
  read_evidence(path, result);
  return result;
}

std::vector<Driver> read_drivers(const std::string& path) {
  const TextTable table = read_text_table(path);
  if (table.header != driver_columns)
    throw InputError(fmt::format("{}: its columns are {}, not {}", path, shown(table.header),
                                 shown(driver_columns)),
                     drivers_hint);
  std::vector<Driver> drivers;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const Strings& row = table.rows[r];
    drivers.push_back({row[0], row[1], row[2], row[3], number_in(table, r, 4),
                       static_cast<Index>(number_in(table, r, 5)),
                       whole_number(table, r, 6, drivers_hint)});
  }
  return drivers;
}

}  // namespace mkc::io
