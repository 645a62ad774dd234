#include "evaluate/trial_json.hpp"

#include <limits>

#include "evaluate/prediction_scores.hpp"
#include "formats/sha256.hpp"

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

template <class Scores, class Fields>
Json with_scores(Json entry, const Scores& scores, const Fields& fields) {
  for (const auto& [name, field] : fields) entry[name] = scores.*field;
  return entry;
}

template <class Scores, class Fields>
void read_scores(const Json& json, const Fields& fields, Scores& scores) {
  for (const auto& [name, field] : fields) scores.*field = number_at(json, name);
}

Json label_json(Index repeat, const LabelScores& scores) {
  Json entry = {{"repeat", repeat}, {"on", scores.on}, {"samples", scores.samples}};
  for (const auto& score : label_score_fields) entry[score.name] = scores.*score.field;
  entry["standard_error"] = scores.standard_error;
  return entry;
}

/// Earlier versions stored the scores of classes only, without the standard error of accuracy.
LabelScores label_scores_of(const Json& json) {
  LabelScores scores;
  scores.on = json.at("on").get<std::string>();
  scores.samples = json.at("samples").get<Index>();
  for (const auto& score : label_score_fields)
    scores.*score.field = score.type == LabelType::classes || json.contains(score.name)
                              ? number_at(json, score.name)
                              : std::numeric_limits<double>::quiet_NaN();
  scores.standard_error = json.contains("standard_error")
                              ? number_at(json, "standard_error")
                              : error_of_share(scores.accuracy, scores.samples);
  return scores;
}

/// Of the same text, whether it is about to be written or was just read.
std::string digest_of(const Json& json) {
  return sha256_of_bytes(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

double number_at(const Json& object, const char* name) {
  const Json& value = object.at(name);
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

std::string text_of_trial(Json head, const TrialResult& result) {
  Json views = Json::array(), labels = Json::array();
  for (const auto& scores : result.views)
    views.push_back(with_scores({{"hidden_rows", scores.hidden_rows}}, scores, view_score_fields));
  for (const auto& [repeat, scores] : result.labels) labels.push_back(label_json(repeat, scores));
  head["used"] = result.spec;
  head["status"] = result.status;
  head["failure"] = result.failure;
  head["seconds"] = result.seconds;
  head["peak_mib"] = result.peak_mib;
  head["views"] = std::move(views);
  head["labels"] = std::move(labels);
  head["digest"] = digest_of(head);
  return head.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool take_digest(Json& json) {
  const auto found = json.find("digest");
  if (found == json.end()) return true;
  const Json digest = std::move(*found);
  json.erase("digest");
  return digest == digest_of(json);
}

TrialResult result_of(const Json& json) {
  TrialResult result;
  result.spec = json.at("used").get<std::string>();
  result.status = json.at("status").get<std::string>();
  result.failure = json.at("failure").get<std::string>();
  result.seconds = number_at(json, "seconds");
  result.peak_mib = number_at(json, "peak_mib");
  for (const auto& view : json.at("views")) {
    ViewScores& scores = result.views.emplace_back();
    scores.hidden_rows = view.at("hidden_rows").get<Index>();
    read_scores(view, view_score_fields, scores);
  }
  for (const auto& label : json.at("labels")) {
    result.labels.push_back({label.at("repeat").get<Index>(), label_scores_of(label)});
  }
  return result;
}

}  // namespace mkc::io
