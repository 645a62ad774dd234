// Trials of an evaluation: keys, and JSON texts.
#include <fmt/format.h>

#include "evaluate/trial_json.hpp"
#include "formats/files.hpp"
#include "formats/sha256.hpp"
#include "mkc/base/error.hpp"
#include "mkc/evaluate/evaluation.hpp"
#include "mkc/registry.hpp"

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "mkc-evaluation-cell-1";

std::string_view bytes_of(const SharedMatrix& values) {
  return {reinterpret_cast<const char*>(values.data()),
          sizeof(double) * static_cast<std::size_t>(values.size())};
}

// The method with every option it would use: a default that is written out changes nothing.
std::string whole_spec(const std::string& text) {
  if (text == complete_cases) return text;
  const Spec spec = parse_spec(text);
  return format_spec({spec.name, find_method(spec.name).effective_options(spec.options)});
}

// Names may contain any bytes; their hash is text.
Json digest(const Strings& words) {
  Json hashes = Json::array();
  for (const auto& word : words) hashes.push_back(sha256_of_bytes(word));
  return sha256_of_bytes(hashes.dump());
}

// Classes have the keys of version 0.1.
void add_labels(const Target& target, Json& key) {
  const auto list = [](const Vector& values) {
    return std::vector<double>(values.begin(), values.end());  // NaN as null
  };
  if (const auto* labels = std::get_if<Labels>(&target)) {
    key["classes"] = digest(labels->classes);
    key["labels"] = labels->of_sample;
  } else if (const auto* numbers = std::get_if<Numbers>(&target)) {
    key["numbers"] = list(numbers->of_sample);
  } else {
    const auto& survival = std::get<Survival>(target);
    key["times"] = list(survival.time);
    key["events"] = list(survival.event);
  }
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
  const auto meta =
      Json::parse(read_if_there((folder / "meta_info.json").string()), nullptr, false);
  if (!meta.is_object() || meta.value("data", digest) == digest) return;
  throw OptionError(
      fmt::format("output folder '{}' holds an evaluation of other data or other kernels",
                  folder.string()),
      {"choose another name", {"force", "", "replaces it"}});
}

std::string trial_key(const TrialPlan& trial, const EvaluatePlan& plan, const std::string& problem,
                      const Target* labels) {
  Json key = {
      {"format", format_name},  {"mkc_version", scores_since}, {"method", whole_spec(trial.method)},
      {"repeat", trial.repeat}, {"seed", plan.seed},           {"problem", problem}};
  if (trial.repeat > 0) {
    key["mechanism"] = static_cast<int>(plan.mechanism);
    key["fraction"] = plan.fraction;
    key["views_missing"] = plan.views_missing;
    key["quality"] = plan.quality;
  }
  if (trial.labels) {
    add_labels(*labels, key);
    if (plan.weights != ViewWeighting::mean) key["weights"] = static_cast<int>(plan.weights);
    if (trial.repeat == 0) key["repeats"] = plan.repeats;
  }
  return sha256_of_bytes(key.dump());
}

std::string trial_json(const FinishedTrial& trial) {
  return text_of_trial({{"format", format_name},
                        {"method", trial.plan.method},
                        {"repeat", trial.plan.repeat},
                        {"with_labels", trial.plan.labels}},
                       trial.result);
}

std::optional<FinishedTrial> parse_trial(const std::string& text) {
  return read_trial(text, format_name, [](const Json& json) -> FinishedTrial {
    return {{json.at("method").get<std::string>(), json.at("repeat").get<Index>(),
             json.at("with_labels").get<bool>()},
            result_of(json)};
  });
}

}  // namespace mkc::io
