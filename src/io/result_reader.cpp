#include "mkc/io/result_reader.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "mkc/error.hpp"
#include "mkc/io/csv.hpp"
#include "mkc/io/npz.hpp"
#include "mkc/io/tables_out.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

nlohmann::json read_meta(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw InputError(fmt::format("there is no folder '{}'", folder.string()),
                     "give the folder that 'mkc complete ... -o DIR' wrote");
  std::ifstream stream(folder / "meta_info.json", std::ios::binary);
  if (!stream)
    throw InputError(fmt::format("'{}' is not a result: it has no meta_info.json", folder.string()),
                     "give the folder that 'mkc complete ... -o DIR' wrote");
  auto meta = nlohmann::json::parse(stream, nullptr, false);
  const bool is_result =
      meta.is_object() && meta.contains("method") && meta.contains("views") &&
      meta["method"].is_string() && meta["views"].is_array() && !meta["views"].empty() &&
      std::all_of(meta["views"].begin(), meta["views"].end(), [](const auto& view) {
        return view.is_object() && view.contains("name") && view["name"].is_string();
      });
  if (!is_result)
    throw InputError(
        fmt::format("'{}' was not written by mkc complete", (folder / "meta_info.json").string()),
        "give the folder that 'mkc complete ... -o DIR' wrote");
  return meta;
}

// Rows and columns of a table in the order of `names`.
Matrix read_square(const fs::path& path, Strings& names) {
  Table table = read_table(path.string());
  if (names.empty()) names = table.row_names;
  if (table.row_names != names || table.column_names != names)
    throw InputError(
        fmt::format("{}: its rows and columns are not those of the other tables", path.string()));
  return std::move(table.values);
}

void check_kernel(const StoredResult& result, const Matrix& K, const std::string& view) {
  const auto n = static_cast<Index>(result.samples.size());
  if (K.rows() != n || K.cols() != n)
    throw InputError(fmt::format("view '{}': its kernel is {} x {}, there are {} samples", view,
                                 K.rows(), K.cols(), n));
  if (!K.allFinite())
    throw InputError(fmt::format("view '{}': its kernel is not complete", view),
                     "complete it first: mkc complete");
}

}  // namespace

StoredResult read_result(const std::string& where) {
  const fs::path folder(where);
  const nlohmann::json meta = read_meta(folder);
  StoredResult result;
  result.method = meta["method"].get<std::string>();
  for (const auto& view : meta["views"]) result.views.push_back(view.at("name"));
  const std::string npz = (folder / "kernels.npz").string();
  if (fs::exists(npz)) {
    result.samples = take_ids(read_npz_array(npz, "samples"), npz + ":samples");
    for (const auto& view : result.views)
      result.kernels.push_back(take_matrix(read_npz_array(npz, view), npz + ":" + view));
  } else {
    for (const auto& file : file_names_for(result.views))
      result.kernels.push_back(
          read_square(folder / "kernels" / (file + ".tsv.gz"), result.samples));
  }
  for (std::size_t m = 0; m < result.kernels.size(); ++m)
    check_kernel(result, result.kernels[m], result.views[m]);
  if (const fs::path relations = folder / "view_relations.tsv"; fs::exists(relations)) {
    Strings names = result.views;
    result.relations = read_square(relations, names);
  }
  return result;
}

}  // namespace mkc::io
