#include "files/result_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/names.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "files/read_views.hpp"
#include "formats/csv.hpp"
#include "formats/dense_size.hpp"
#include "formats/files.hpp"
#include "formats/npy_rows.hpp"
#include "formats/tables_out.hpp"
#include "formats/text_lines.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

nlohmann::json read_meta(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw InputError(fmt::format("there is no folder '{}'", folder.string()),
                     {{"command", "complete", "writes such a folder"}});
  if (!fs::exists(folder / "meta_info.json", ignored))
    throw InputError(fmt::format("'{}' is not a result: it has no meta_info.json", folder.string()),
                     {{"command", "complete", "writes such a folder"}});
  auto meta =
      nlohmann::json::parse(read_whole_file((folder / "meta_info.json").string()), nullptr, false);
  const bool is_result =
      meta.is_object() && meta.contains("method") && meta.contains("views") &&
      meta["method"].is_string() && meta["views"].is_array() && !meta["views"].empty() &&
      std::all_of(meta["views"].begin(), meta["views"].end(), [](const auto& view) {
        return view.is_object() && view.contains("name") && view["name"].is_string();
      });
  if (!is_result)
    throw InputError(
        fmt::format("'{}' was not written by mkc complete", (folder / "meta_info.json").string()),
        {{"command", "complete", "writes such a folder"}});
  return meta;
}

// Rows and columns of a table in the order of `names`.
Matrix read_square(const fs::path& path, Strings& names) {
  Table table = read_table(path.string(), {.names_views = true});
  if (names.empty()) names = table.row_names;
  if (table.row_names != names || table.column_names != names)
    throw InputError(
        fmt::format("{}: its rows and columns are not those of the other tables", path.string()));
  return std::move(table.values);
}

// The file that holds all kernels; "" where they are tables.
fs::path kernel_file(const fs::path& folder) {
  for (const char* name : {"kernels.npz", "kernels.h5", "kernels.h5mu", "kernels.mat"})
    if (fs::exists(folder / name)) return folder / name;
  return {};
}

// All views of one file, in the order of the result; HDF5 may have had to change their names.
void take_views(const std::string& file, StoredResult& result) {
  ViewSpec kernels;
  kernels.path = file;
  kernels.kind = ViewKind::kernel;
  kernels.read_options = {{"zero_rows", "values"}};
  std::vector<View> views = read_views(kernels);
  if (views.size() != result.views.size())
    throw InputError(fmt::format("{} holds {} kernels, the result has {} views", file, views.size(),
                                 result.views.size()));
  for (auto& view : views) {
    if (result.samples.empty()) result.samples = view.all_ids;
    if (view.ids != result.samples)
      throw InputError(fmt::format("{}: view '{}' does not have all samples", file, view.name),
                       {{"command", "complete", "comes first"}});
    result.kernels.push_back(std::move(view.values));
  }
}

// A column of extra.npy for every view: what a kernel has on its diagonal beside its factors.
Matrix read_extra(const std::string& path, Index samples, Index views) {
  const NpyRows extra(path);
  if (extra.rows() != samples || extra.columns() != views)
    throw InputError(fmt::format("{}: {} x {} values, {} x {} are needed", path, extra.rows(),
                                 extra.columns(), samples, views),
                     damaged);
  return read_rows(extra, 0, samples).transpose();
}

Strings read_samples(const fs::path& folder) {
  Strings samples;
  TextLines lines((folder / "samples.txt").string());
  while (const auto line = lines.next()) samples.emplace_back(*line);
  return samples;
}

double kernel_bytes(Index n, Index m) {
  return 8 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(m);
}

bool kernels_fit(Index n, Index m) { return kernel_bytes(n, m) <= 0.8 * memory_left(); }

void check_room_for_kernels(const fs::path& folder, Index n, Index m) {
  if (!kernels_fit(n, m))
    throw InputError(
        fmt::format("'{}' is a result in factor form: its {} kernels of {} samples do not fit into "
                    "memory ({:.0f} GiB), and this command works on whole kernels",
                    folder.string(), m, n, kernel_bytes(n, m) / 0x1p30),
        "work on the factors (factors/VIEW.npy), or complete a part of the samples: --samples "
        "FILE");
}

// F of a view, a row per sample.
NpyRows open_factor(const fs::path& folder, const std::string& name, Index n_samples) {
  const std::string file = (folder / "factors" / (name + ".npy")).string();
  NpyRows factors(file);
  if (factors.rows() != n_samples)
    throw InputError(fmt::format("{}: {} rows for {} samples", file, factors.rows(), n_samples),
                     damaged);
  return factors;
}

// Some of its rows, a sample per column (r, rows).
Matrix rows_of(const NpyRows& factors, const Indices& rows) {
  Matrix F(factors.columns(), std::ssize(rows));
  factors.read(rows, F);
  return F;
}

// A result in factor form: the kernels of some rows are made, F F' + diag(extra).
void take_factors(const fs::path& folder, Index n_samples, const Indices& rows,
                  StoredResult& result) {
  const Matrix extra =
      read_extra((folder / "extra.npy").string(), n_samples, std::ssize(result.views));
  const Strings files = file_names_for(result.views);
  for (std::size_t v = 0; v < files.size(); ++v) {
    Matrix K = linalg::gram_of_columns(rows_of(open_factor(folder, files[v], n_samples), rows));
    K.diagonal() += extra.col(static_cast<Index>(v))(rows);
    result.kernels.push_back(std::move(K));
  }
}

// No option of the user: the file was edited.
IdRule id_rule_of(const nlohmann::json& meta, const std::string& where) {
  if (!meta.is_object() || !meta.contains("ids") || !meta["ids"].is_string())
    return {IdRule::Kind::exact};
  try {
    return parse_id_rule(meta["ids"].get<std::string>());
  } catch (const OptionError& error) {
    throw InputError(fmt::format("{}: {}", where, error.what()), damaged);
  }
}

void check_completed(const Matrix& K, const std::string& where, const std::string& view) {
  if (!K.allFinite())
    throw InputError(fmt::format("{}, view '{}': its kernel is not complete", where, view),
                     {{"command", "complete", "comes first"}});
}

bool in_factor_form(const nlohmann::json& meta) {
  return meta.value("form", nlohmann::json()) == "factor";
}

// What a result in factor form was completed by; "" in those of earlier versions.
std::string model_of(const nlohmann::json& meta) {
  const auto model = meta.value("model", nlohmann::json());
  return model.is_string() ? model.get<std::string>() : "";
}

// What meta_info.json says of the result, without samples and kernels.
StoredResult described(const nlohmann::json& meta, const fs::path& folder) {
  StoredResult result;
  result.method = meta["method"].get<std::string>();
  result.ids = id_rule_of(meta, (folder / "meta_info.json").string());
  result.interrupted = meta.value("status", nlohmann::json()) == "interrupted";
  for (const auto& view : meta["views"]) {
    result.views.push_back(view.at("name"));
    const auto features = view.value("features", nlohmann::json());
    result.features.push_back(features.is_number_integer() ? features.get<Index>() : 0);
  }
  return result;
}

void check_completed(const StoredResult& result, const std::string& where) {
  for (std::size_t m = 0; m < result.kernels.size(); ++m)
    check_completed(result.kernels[m], where, result.views[m]);
}

Indices all_places(const Strings& samples) {
  Indices places(samples.size());
  std::iota(places.begin(), places.end(), Index{0});
  return places;
}

}  // namespace

IdRule stored_id_rule(const std::string& meta_info, const std::string& where) {
  return id_rule_of(nlohmann::json::parse(meta_info, nullptr, false), where);
}

std::string stored_zero_rows(const std::string& meta_info, const std::string& view) {
  const auto meta = nlohmann::json::parse(meta_info, nullptr, false);
  if (!meta.is_object() || !meta.contains("views") || !meta["views"].is_array()) return {};
  for (const auto& one : meta["views"])
    if (one.is_object() && one.value("name", nlohmann::json()) == view &&
        one.value("zero_rows", nlohmann::json()).is_string())
      return one["zero_rows"].get<std::string>();
  return {};
}

StoredResult read_result(const std::string& where) {
  const fs::path folder(where);
  const nlohmann::json meta = read_meta(folder);
  StoredResult result = described(meta, folder);
  if (in_factor_form(meta)) {
    result.samples = read_samples(folder);
    check_room_for_kernels(folder, std::ssize(result.samples), std::ssize(result.views));
    take_factors(folder, std::ssize(result.samples), all_places(result.samples), result);
  } else if (const fs::path file = kernel_file(folder); file.empty()) {
    for (const auto& name : file_names_for(result.views))
      result.kernels.push_back(
          read_square(folder / "kernels" / (name + ".tsv.gz"), result.samples));
  } else {
    take_views(file.string(), result);
  }
  check_completed(result, where);
  if (const fs::path relations = folder / "view_relations.tsv"; fs::exists(relations)) {
    Strings names = result.views;
    result.relations = read_square(relations, names);
  }
  return result;
}

SampledResult read_result_sample(const std::string& where, std::size_t most) {
  const fs::path folder(where);
  const nlohmann::json meta = read_meta(folder);
  SampledResult sampled;
  if (!in_factor_form(meta)) {
    sampled.shown = read_result(where);
    sampled.samples = sampled.shown.samples;
    sampled.places = all_places(sampled.samples);
    return sampled;
  }
  sampled.shown = described(meta, folder);
  sampled.samples = read_samples(folder);
  sampled.places =
      rows_by_hash(sampled.samples, all_places(sampled.samples), most, "samples of a report");
  std::sort(sampled.places.begin(), sampled.places.end());
  sampled.shown.samples = picked(sampled.samples, sampled.places);
  take_factors(folder, std::ssize(sampled.samples), sampled.places, sampled.shown);
  check_completed(sampled.shown, where);
  return sampled;
}

bool is_factor_result(const std::string& folder) { return in_factor_form(read_meta(folder)); }

StoredFactors read_factor_result(const std::string& where) {
  const fs::path folder(where);
  const StoredResult about = described(read_meta(folder), folder);
  StoredFactors result;
  result.samples = read_samples(folder);
  result.views = about.views;
  result.ids = about.ids;
  result.model = model_of(read_meta(folder));
  const Index n = std::ssize(result.samples);
  const auto factors = std::make_shared<std::vector<NpyRows>>();
  for (const auto& name : file_names_for(result.views)) {
    factors->push_back(open_factor(folder, name, n));
    result.ranks.push_back(factors->back().columns());
  }
  result.features = [factors](Index view, const Indices& rows) {
    return rows_of((*factors)[at(view)], rows);
  };
  result.extra = read_extra((folder / "extra.npy").string(), n, std::ssize(result.views));
  return result;
}

std::optional<StoredFactors> read_large_result(const std::string& path) {
  constexpr Index most_whole = 20000;
  std::error_code ignored;
  if (!fs::is_directory(path, ignored) || !fs::exists(fs::path(path) / "meta_info.json", ignored))
    return std::nullopt;
  const nlohmann::json meta = read_meta(path);
  if (!in_factor_form(meta)) return std::nullopt;
  const Index n = std::ssize(read_samples(path)), m = std::ssize(meta["views"]);
  if (n <= most_whole && kernels_fit(n, m)) return std::nullopt;
  return read_factor_result(path);
}

StoredResult read_result_or_kernel(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return read_result(path);
  ViewSpec spec = parse_view_spec(path);
  if (!fs::exists(spec.path, ignored))
    throw InputError(fmt::format("there is no result folder or kernel file '{}'", path),
                     {{"command", "complete", "writes a result"}});
  spec.kind = ViewKind::kernel;
  std::vector<View> views = read_views(spec);
  if (views.size() != 1)
    throw InputError(fmt::format("{} holds {} kernels, not one", path, views.size()),
                     {{"command", "combine", "makes one of them"}});
  View& view = views.front();
  if (const auto gap =
          std::mismatch(view.all_ids.begin(), view.all_ids.end(), view.ids.begin(), view.ids.end())
              .first;
      gap != view.all_ids.end())
    throw InputError(
        fmt::format("{}: {} of {} samples have no values, the first is '{}'", path,
                    view.all_ids.size() - view.ids.size(), view.all_ids.size(), shown(*gap)),
        {{"command", "complete", "comes first"}});
  StoredResult result;
  result.samples = std::move(view.ids);
  result.views = {view.name};
  result.kernels.push_back(std::move(view.values));
  check_completed(result.kernels.front(), path, view.name);
  return result;
}

Strings result_inputs(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {parse_view_spec(path).path};
  const fs::path folder(path);
  Strings files = {(folder / "meta_info.json").string()};
  if (const fs::path file = kernel_file(folder); !file.empty()) {
    files.push_back(file.string());
  } else {
    for (const auto& entry : fs::directory_iterator(folder / "kernels", ignored))
      files.push_back(entry.path().string());
    std::sort(files.begin() + 1, files.end());
  }
  return files;
}

}  // namespace mkc::io
