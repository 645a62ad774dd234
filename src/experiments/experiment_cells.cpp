#include <fmt/format.h>

#include "evaluate/cell_json.hpp"
#include "mkc/base/error.hpp"
#include "experiments/experiment.hpp"
#include "formats/sha256.hpp"
#include "mkc/version.hpp"

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "mkc-experiment-cell-1";

const char* measure_name(Measure measure) {
  return measure == Measure::are ? "are" : "are_squared";
}

Protocol protocol_of(const Experiment& experiment, const CellSpot& spot) {
  const DataSource& source = experiment.data[spot.data];
  Protocol protocol = source.protocol;
  protocol.losing = spot.losing;
  protocol.views_missing = source.views_missing.at(static_cast<std::size_t>(spot.level));
  protocol.first_view_complete = experiment.methods[spot.method].first_view_complete;
  return protocol;
}

// All that decides the result, for the key and for the reader of a stored cell.
Json parameters(const Experiment& experiment, const CellSpot& spot) {
  const TunedMethod& method = method_of(experiment, spot);
  const Protocol protocol = protocol_of(experiment, spot);
  Json grid = Json::object();
  for (const auto& [option, values] : method.grid) grid[option] = values;
  return {{"method", method.spec},
          {"grid", grid},
          {"measure", measure_name(experiment.measure)},
          {"seed", experiment.seed},
          {"partition", spot.partition},
          {"tuning", protocol.tuning},
          {"whole", protocol.whole},
          {"losing", protocol.losing},
          {"most_tuning", protocol.most_tuning},
          {"level", spot.level},
          {"views_missing", protocol.views_missing},
          {"first_view_complete", protocol.first_view_complete}};
}

}  // namespace

std::vector<CellSpot> plan_cells(const Experiment& experiment, const std::vector<bool>& usable) {
  std::vector<CellSpot> spots;
  for (Index partition = 1; partition <= experiment.partitions; ++partition)
    for (std::size_t d = 0; d < experiment.data.size(); ++d)
      for (const double losing : experiment.losing)
        for (std::size_t level = 0; level < experiment.data[d].views_missing.size(); ++level)
          for (std::size_t m = 0; m < experiment.methods.size(); ++m)
            if (usable.at(d)) spots.push_back({d, m, static_cast<Index>(level), losing, partition});
  return spots;
}

const TunedMethod& method_of(const Experiment& experiment, const CellSpot& spot) {
  const ExperimentMethod& method = experiment.methods.at(spot.method);
  return experiment.data.at(spot.data).coarse ? method.coarse : method.tuned;
}

Trial trial_of(const Experiment& experiment, const CellSpot& spot, const LoadedData& data) {
  const Protocol protocol = protocol_of(experiment, spot);
  const std::uint64_t seed = experiment.seed;
  if (data.splits.empty()) {
    Partition partition = draw_partition(data.problem, protocol, seed, spot.partition);
    return make_trial(data.problem, draw_losses(data.problem, std::move(partition), protocol, seed,
                                                spot.partition));
  }
  const auto number = static_cast<std::size_t>(spot.partition - 1);
  const auto level = static_cast<std::size_t>(spot.level);
  if (number >= data.splits.size() || level >= data.splits[number].hidden.size())
    throw InputError(
        fmt::format("the file of '{}' has no split {} at level {}: it has {} splits",
                    experiment.data[spot.data].name, spot.partition, level + 1, data.splits.size()),
        "fewer partitions or levels");
  const StoredSplit& stored = data.splits[number];
  // masks of its own where the first view must be complete, or fewer samples lose views
  if (protocol.first_view_complete || protocol.losing < 1)
    return make_trial(data.problem,
                      draw_losses(data.problem, stored.partition, protocol, seed, spot.partition));
  return make_trial(data.problem, {stored.partition, stored.hidden[level]});
}

std::string cell_key(const Experiment& experiment, const CellSpot& spot,
                     const std::string& digest) {
  Json key = parameters(experiment, spot);
  key["format"] = format_name;
  key["mkc_version"] = version;
  key["data"] = digest;
  return sha256_of_bytes(key.dump());
}

std::string cell_json(const Experiment& experiment, const ExperimentCell& cell) {
  const TunedChoice& choice = cell.result.choice;
  Json json = {{"format", format_name},
               {"mkc_version", version},
               {"data", experiment.data[cell.spot.data].name},
               {"name", experiment.methods[cell.spot.method].tuned.name},
               {"parameters", parameters(experiment, cell.spot)},
               {"chosen", choice.spec},
               {"tried", choice.tried},
               {"tuning_error", choice.error},
               {"tuning_seconds", choice.seconds}};
  add_result(cell.result.test, json);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<TrialResult> parse_trial(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != format_name) return std::nullopt;
    TrialResult result;
    result.choice = {json.at("chosen").get<std::string>(), json.at("tried").get<Index>(),
                     number_at(json, "tuning_error"), number_at(json, "tuning_seconds"), false};
    result.test = result_of(json);
    return result;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace mkc::io
