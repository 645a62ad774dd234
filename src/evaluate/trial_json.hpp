#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "mkc/evaluate/trial.hpp"

/// What the stored trials of evaluations and of experiments have in common.
namespace mkc::io {

/// The first version that computes the same scores as this one. Keys contain it, so a change of the
/// numbers that raises it has all trials run again.
inline constexpr const char* scores_since = "0.3.0";

/// A number; null is NaN.
double number_at(const nlohmann::ordered_json& object, const char* name);

/// `head`, then used, status, failure, seconds, peak_mib, views, labels, and the digest of all
/// that.
std::string text_of_trial(nlohmann::ordered_json head, const TrialResult& result);
TrialResult result_of(const nlohmann::ordered_json& json);

/// Takes the digest out; whether it is that of the rest. Trials of version 0.1 have none.
bool take_digest(nlohmann::ordered_json& json);

/// read(json) where the text is a trial of this format; nothing where it is another, damaged or was
/// edited.
template <class Read>
auto read_trial(const std::string& text, const char* format, const Read& read)
    -> std::optional<decltype(read(nlohmann::ordered_json()))> {
  try {
    auto json = nlohmann::ordered_json::parse(text);
    if (json.at("format") != format || !take_digest(json)) return std::nullopt;
    return read(json);
  } catch (const nlohmann::ordered_json::exception&) {
    return std::nullopt;
  }
}

}  // namespace mkc::io
