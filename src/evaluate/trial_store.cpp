#include "mkc/evaluate/trial_store.hpp"

#include <unistd.h>

#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mkc::io {

namespace fs = std::filesystem;

namespace {

std::string read_all(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

TrialStore::TrialStore(const fs::path& target, bool fresh, Check is_trial)
    : earlier_(target / "cells"),
      running_(target.parent_path() / fmt::format(".{}.cells", target.filename().string())),
      is_trial_(std::move(is_trial)),
      fresh_(fresh) {
  if (fresh) earlier_.clear();
}

void TrialStore::start() const {
  if (fresh_) clear();
}

std::optional<std::string> TrialStore::find(const std::string& key) const {
  for (const auto& folder : {running_, earlier_}) {
    if (folder.empty()) continue;
    std::string text = read_all(folder / (key + ".json"));
    if (is_trial_(text)) return text;
  }
  return std::nullopt;
}

void TrialStore::keep(const std::string& key, const std::string& text) const {
  std::error_code error;
  fs::create_directories(running_, error);
  if (error) throw OutputError(running_, error.message());
  const fs::path whole = running_ / (key + ".json");
  const fs::path partial = running_ / fmt::format("{}.partial-{}", key, getpid());
  write_text_file(partial, text);
  fs::rename(partial, whole, error);
  if (error) throw OutputError(whole, error.message());
}

void TrialStore::move_into(OutputFolder& folder) const {
  for (const auto& from : {earlier_, running_}) {
    std::error_code none;
    if (from.empty()) continue;
    for (const auto& entry : fs::directory_iterator(from, none))
      if (entry.path().extension() == ".json")
        write_text_file(folder.path("cells/" + entry.path().filename().string()),
                        read_all(entry.path()));
  }
}

void TrialStore::clear() const {
  std::error_code ignored;
  fs::remove_all(running_, ignored);
}

bool is_name_of_run(const std::string& name) {
  for (const char* own :
       {"cells", "cells.tsv", "summary.tsv", "scores.tsv", "runs.tsv", "hidden.tsv", "labels.tsv",
        "errors.tsv", "ratios.tsv", "times.tsv", "spectra.tsv", "spectra.svg", "results.md",
        "proportion.tsv", "proportion.svg", "meta_info.json", "config.toml", "mkc.log",
        "report.html"})
    if (name == own) return true;
  return false;
}

bool is_result_of(const std::string& command, const fs::path& folder) {
  const auto meta = nlohmann::json::parse(read_all(folder / "meta_info.json"), nullptr, false);
  return meta.is_object() && meta.value("command", nlohmann::json()) == command;
}

}  // namespace mkc::io
