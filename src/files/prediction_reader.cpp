#include "files/prediction_reader.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/csv.hpp"
#include "formats/files.hpp"
#include "formats/npz.hpp"
#include "formats/tables_out.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

const Hint predict_writes = {{"command", "predict", "writes such a folder"}};

void take_views(const fs::path& folder, StoredPrediction& prediction) {
  const std::string path = (folder / "meta_info.json").string();
  const Json meta = Json::parse(read_whole_file(path), nullptr, false);
  const bool is_prediction = meta.is_object() && meta.contains("n_training_samples") &&
                             meta.contains("views") && meta["views"].is_array() &&
                             !meta["views"].empty();
  if (!is_prediction)
    throw InputError(fmt::format("'{}' was not written by mkc predict", path), predict_writes);
  Vector variances(static_cast<Index>(meta["views"].size()));
  bool known = true;
  for (const auto& view : meta["views"]) {
    if (!view.is_object() || !view.contains("name") || !view["name"].is_string())
      throw InputError(fmt::format("'{}': a view has no name", path), predict_writes);
    const auto variance = view.find("training_variance");
    known = known && variance != view.end() && variance->is_number();
    if (known) variances(static_cast<Index>(prediction.views.size())) = variance->get<double>();
    prediction.views.push_back(view["name"]);
  }
  if (known) prediction.variances = variances;
}

void read_npz_rows(const std::string& path, StoredPrediction& prediction) {
  const NpzReader file(path);
  const auto where = [&](const std::string& name) { return path + ":" + name; };
  prediction.samples = take_ids(file.read("samples"), where("samples"));
  prediction.training_samples = take_ids(file.read("training_samples"), where("training_samples"));
  for (const auto& view : prediction.views)
    prediction.rows.push_back(take_matrix(file.read(view), where(view)));
  prediction.diagonals = take_matrix(file.read("diagonals"), where("diagonals"));
}

void read_table_rows(const fs::path& folder, StoredPrediction& prediction) {
  for (const auto& name : file_names_for(prediction.views)) {
    Table table = read_table((folder / "kernels" / (name + ".tsv.gz")).string());
    if (prediction.rows.empty()) {
      prediction.samples = table.row_names;
      prediction.training_samples = table.column_names;
    }
    if (table.row_names != prediction.samples || table.column_names != prediction.training_samples)
      throw InputError(
          fmt::format("{}: its rows and columns are not those of the other tables", table.path));
    prediction.rows.push_back(std::move(table.values));
  }
  if (const fs::path path = folder / "diagonals.tsv"; fs::exists(path))
    prediction.diagonals = read_table(path.string(), {.names_views = true}).values;
}

void check(const std::string& folder, const StoredPrediction& prediction) {
  const auto n = static_cast<Index>(prediction.samples.size()),
             N = static_cast<Index>(prediction.training_samples.size());
  for (std::size_t m = 0; m < prediction.rows.size(); ++m) {
    const Matrix& rows = prediction.rows[m];
    if (rows.rows() != n || rows.cols() != N)
      throw InputError(fmt::format("{}: view '{}' has {} x {} kernel values, but there are {} new "
                                   "and {} training samples",
                                   folder, prediction.views[m], rows.rows(), rows.cols(), n, N),
                       predict_writes);
    if (!rows.allFinite())
      throw InputError(fmt::format("{}: view '{}' has kernel values that are not finite", folder,
                                   prediction.views[m]),
                       predict_writes);
  }
  if (prediction.diagonals &&
      (prediction.diagonals->rows() != n ||
       prediction.diagonals->cols() != static_cast<Index>(prediction.views.size())))
    throw InputError(
        fmt::format("{}: the diagonals are not {} x {}", folder, n, prediction.views.size()),
        predict_writes);
}

}  // namespace

bool is_factor_prediction(const std::string& folder) {
  const std::string path = (fs::path(folder) / "meta_info.json").string();
  const Json meta = Json::parse(read_whole_file(path), nullptr, false);
  return meta.is_object() && meta.value("form", Json()) == "factor";
}

StoredPrediction read_prediction(const std::string& where) {
  const fs::path folder(where);
  StoredPrediction prediction;
  take_views(folder, prediction);
  if (fs::exists(folder / "kernels.npz"))
    read_npz_rows((folder / "kernels.npz").string(), prediction);
  else
    read_table_rows(folder, prediction);
  check(where, prediction);
  return prediction;
}

}  // namespace mkc::io
