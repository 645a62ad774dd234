// Cells of an evaluation: their names, and their way to a file and back.
#include <fstream>

#include <fmt/format.h>

#include "evaluate/cell_json.hpp"
#include "mkc/base/error.hpp"
#include "mkc/evaluate/evaluation.hpp"
#include "formats/sha256.hpp"
#include "mkc/registry.hpp"
#include "mkc/version.hpp"

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "mkc-evaluation-cell-1";

std::string_view bytes_of(const SharedMatrix& values) {
  return {reinterpret_cast<const char*>(values.data()),
          sizeof(double) * static_cast<std::size_t>(values.size())};
}

// The method with every option it would use, so that a default may be written or not.
std::string whole_spec(const std::string& text) {
  if (text == complete_cases) return text;
  const Spec spec = parse_spec(text);
  return format_spec({spec.name, find_method(spec.name).effective_options(spec.options)});
}

// Names may hold anything; their hash is text.
Json digest(const Strings& words) {
  Json lengths_and_words = Json::array();
  for (const auto& word : words) lengths_and_words.push_back(sha256_of_bytes(word));
  return sha256_of_bytes(lengths_and_words.dump());
}

}  // namespace

std::string problem_digest(const Problem& problem,
                           const std::vector<KernelTransformOptions>& transforms) {
  Json parts = Json::array({digest(problem.samples())});
  for (const auto& view : problem.views())
    parts.push_back({digest({view.name}), view.rows, sha256_of_bytes(bytes_of(view.block))});
  for (const auto& transform : transforms)
    parts.push_back({static_cast<int>(transform.normalize), transform.center});
  return sha256_of_bytes(parts.dump());
}

void check_same_data(const std::filesystem::path& folder, const std::string& digest) {
  std::ifstream stream(folder / "meta_info.json", std::ios::binary);
  const auto meta = Json::parse(stream, nullptr, false);
  if (!meta.is_object() || meta.value("data", digest) == digest) return;
  throw OptionError(
      fmt::format(
          "output folder '{}' holds an evaluation of other data, or of other kernels of them",
          folder.string()),
      {"choose another name", {"force", "", "replaces it"}});
}

std::string cell_key(const CellPlan& cell, const EvaluatePlan& plan, const std::string& problem,
                     const Labels* labels) {
  Json key = {
      {"format", format_name}, {"mkc_version", version}, {"method", whole_spec(cell.method)},
      {"repeat", cell.repeat}, {"seed", plan.seed},      {"problem", problem}};
  if (cell.repeat > 0) {
    key["mechanism"] = static_cast<int>(plan.mechanism);
    key["fraction"] = plan.fraction;
    key["views_missing"] = plan.views_missing;
    key["quality"] = plan.quality;
  }
  if (cell.labels) {
    key["classes"] = digest(labels->classes);
    key["labels"] = labels->of_sample;
    if (cell.repeat == 0) key["repeats"] = plan.repeats;
  }
  return sha256_of_bytes(key.dump());
}

std::string cell_json(const EvaluatedCell& cell) {
  Json json = {{"format", format_name},
               {"method", cell.plan.method},
               {"repeat", cell.plan.repeat},
               {"with_labels", cell.plan.labels}};
  add_result(cell.result, json);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<EvaluatedCell> parse_cell(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != format_name) return std::nullopt;
    EvaluatedCell cell;
    cell.plan = {json.at("method").get<std::string>(), json.at("repeat").get<Index>(),
                 json.at("with_labels").get<bool>()};
    cell.result = result_of(json);
    return cell;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace mkc::io
