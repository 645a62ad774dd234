#include "evaluate/cell_json.hpp"

#include <limits>

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

Json as_json(const ViewScores& scores) {
  return {{"hidden_rows", scores.hidden_rows}, {"are", scores.are},
          {"are_squared", scores.are_squared}, {"rmse", scores.rmse},
          {"alignment", scores.alignment},     {"coverage", scores.coverage}};
}

Json as_json(const RepeatedLabelScores& label) {
  const LabelScores& scores = label.scores;
  return {{"repeat", label.repeat},
          {"on", scores.on},
          {"samples", scores.samples},
          {"accuracy", scores.accuracy},
          {"balanced_accuracy", scores.balanced_accuracy},
          {"nmi", scores.nmi},
          {"ari", scores.ari}};
}

ViewScores view_scores(const Json& json) {
  return {json.at("hidden_rows").get<Index>(), number_at(json, "are"),
          number_at(json, "are_squared"),      number_at(json, "rmse"),
          number_at(json, "alignment"),        number_at(json, "coverage")};
}

RepeatedLabelScores label_scores(const Json& json) {
  return {json.at("repeat").get<Index>(),
          {json.at("on").get<std::string>(), json.at("samples").get<Index>(),
           number_at(json, "accuracy"), number_at(json, "balanced_accuracy"),
           number_at(json, "nmi"), number_at(json, "ari")}};
}

}  // namespace

double number_at(const nlohmann::ordered_json& object, const char* name) {
  const Json& value = object.at(name);
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

void add_result(const CellResult& result, Json& json) {
  Json views = Json::array(), labels = Json::array();
  for (const auto& scores : result.views) views.push_back(as_json(scores));
  for (const auto& scores : result.labels) labels.push_back(as_json(scores));
  json["used"] = result.spec;
  json["status"] = result.status;
  json["failure"] = result.failure;
  json["seconds"] = result.seconds;
  json["peak_mib"] = result.peak_mib;
  json["views"] = views;
  json["labels"] = labels;
}

CellResult result_of(const Json& json) {
  CellResult result;
  result.spec = json.at("used").get<std::string>();
  result.status = json.at("status").get<std::string>();
  result.failure = json.at("failure").get<std::string>();
  result.seconds = number_at(json, "seconds");
  result.peak_mib = number_at(json, "peak_mib");
  for (const auto& view : json.at("views")) result.views.push_back(view_scores(view));
  for (const auto& label : json.at("labels")) result.labels.push_back(label_scores(label));
  return result;
}

}  // namespace mkc::io
