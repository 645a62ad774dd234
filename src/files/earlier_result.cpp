#include "files/earlier_result.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "formats/files.hpp"
#include "mkc/files/output_folder.hpp"
#include "mkc/files/result_folder.hpp"

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

Json read_meta_info(const fs::path& folder) {
  const fs::path path = folder / "meta_info.json";
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  return Json::parse(read_whole_file(path.string()), nullptr, false);
}

/// A name as it is in the file, where bytes that are not UTF-8 are replaced.
std::string in_json(const std::string& name) {
  return Json(name).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The command that wrote a result; "" where it was not mkc. Version 0.1 named it in evaluations
/// and experiments only.
std::string command_of(const Json& meta) {
  if (!meta.is_object() || !meta.contains("mkc_version")) return "";
  if (meta.contains("command")) return meta["command"].is_string() ? meta["command"] : Json("");
  if (meta.contains("n_training_samples")) return "predict";
  if (!meta.contains("method")) return "";
  const Json line = meta.value("command_line", Json(""));
  return line.is_string() && line.get<std::string>().starts_with("mkc demo") ? "demo" : "complete";
}

/// Whether an evaluation or an experiment writes a file or folder of this name.
bool is_name_of_run(const std::string& name) {
  for (const char* own :
       {"cells", "cells.tsv", "summary.tsv", "scores.tsv", "runs.tsv", "hidden.tsv", "labels.tsv",
        "errors.tsv", "ratios.tsv", "times.tsv", "spectra.tsv", "spectra.svg", "results.md",
        "proportion.tsv", "proportion.svg", "meta_info.json", "config.toml", "mkc.log",
        "report.html"})
    if (name == own) return true;
  return false;
}

}  // namespace

EarlierResult::EarlierResult(const fs::path& folder) {
  const Json meta = read_meta_info(folder);
  command_ = command_of(meta);
  if (command_.empty()) return;
  interrupted_ = meta.value("status", Json()) == "interrupted";
  const auto files = meta.find("files");
  lists_files_ = files != meta.end() && files->is_array();
  if (!lists_files_) return;
  for (const auto& file : *files)
    if (file.is_string()) files_.insert(in_json(file));
}

bool EarlierResult::wrote(const std::string& relative) const {
  if (lists_files_) return files_.contains(in_json(relative));
  const std::string first = fs::path(relative).begin()->string();
  if (command_ == "evaluate" || command_ == "experiment") return is_name_of_run(first);
  if (command_ == "demo" && (first == "input" || first == "truth.tsv")) return true;
  return !command_.empty() && is_result_name(relative);
}

Strings foreign_files(const fs::path& folder, const EarlierResult& result) {
  Strings names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::string name = entry.path().lexically_relative(folder).string();
    const bool is_folder = fs::is_directory(entry.symlink_status());
    if (is_folder ? fs::is_empty(entry.path()) : !result.wrote(name))
      names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string with_files(const std::string& meta_info, const std::string& command,
                       const Strings& files) {
  Json meta = Json::parse(meta_info);
  if (!meta.contains("command")) meta["command"] = command;
  meta["files"] = files;
  return meta.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool is_result_of(const std::string& command, const fs::path& folder) {
  return EarlierResult(folder).command() == command;
}

}  // namespace mkc::io
