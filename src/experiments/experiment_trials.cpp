#include <fmt/format.h>

#include "evaluate/trial_json.hpp"
#include "experiments/experiment.hpp"
#include "formats/sha256.hpp"
#include "mkc/base/error.hpp"
#include "mkc/version.hpp"

namespace mkc::io {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "mkc-experiment-cell-1";

Protocol protocol_of(const Experiment& experiment, const ExperimentTrial& trial) {
  const DataSource& source = experiment.data[trial.data];
  Protocol protocol = source.protocol;
  protocol.losing = trial.losing;
  protocol.views_missing = source.views_missing.at(static_cast<std::size_t>(trial.level));
  protocol.first_view_complete = experiment.methods[trial.method].first_view_complete;
  return protocol;
}

// Everything that decides the result, for the key and for readers of a stored trial.
Json parameters(const Experiment& experiment, const ExperimentTrial& trial) {
  const TunedMethod& method = method_of(experiment, trial);
  const Protocol protocol = protocol_of(experiment, trial);
  Json grid = Json::object();
  for (const auto& [option, values] : method.grid) grid[option] = values;
  Json all = {{"method", method.spec},
              {"grid", grid},
              {"measure", measure_names.at(static_cast<std::size_t>(experiment.measure))},
              {"seed", experiment.seed},
              {"partition", trial.partition},
              {"tuning", protocol.tuning},
              {"whole", protocol.whole},
              {"losing", protocol.losing},
              {"most_tuning", protocol.most_tuning},
              {"level", trial.level},
              {"views_missing", protocol.views_missing},
              {"first_view_complete", protocol.first_view_complete}};
  if (method.fitted) all["fitted"] = true;  // keys of other methods stay as they were
  return all;
}

}  // namespace

std::vector<ExperimentTrial> plan_experiment(const Experiment& experiment,
                                             const std::vector<bool>& usable) {
  std::vector<ExperimentTrial> trials;
  for (Index partition = 1; partition <= experiment.partitions; ++partition)
    for (std::size_t d = 0; d < experiment.data.size(); ++d)
      for (const double losing : experiment.losing)
        for (std::size_t level = 0; level < experiment.data[d].views_missing.size(); ++level)
          for (std::size_t m = 0; m < experiment.methods.size(); ++m)
            if (usable.at(d))
              trials.push_back({d, m, static_cast<Index>(level), losing, partition});
  return trials;
}

const TunedMethod& method_of(const Experiment& experiment, const ExperimentTrial& trial) {
  const ExperimentMethod& method = experiment.methods.at(trial.method);
  return experiment.data.at(trial.data).coarse ? method.coarse : method.tuned;
}

Split split_of(const Experiment& experiment, const ExperimentTrial& trial, const LoadedData& data) {
  const Protocol protocol = protocol_of(experiment, trial);
  const std::uint64_t seed = experiment.seed;
  if (data.splits.empty()) {
    Partition partition = draw_partition(data.problem, protocol, seed, trial.partition);
    return draw_losses(data.problem, std::move(partition), protocol, seed, trial.partition);
  }
  const auto number = static_cast<std::size_t>(trial.partition - 1);
  const auto level = static_cast<std::size_t>(trial.level);
  if (number >= data.splits.size() || level >= data.splits[number].hidden.size())
    throw InputError(fmt::format("the file of '{}' has no split {} at level {}: it has {} splits",
                                 experiment.data[trial.data].name, trial.partition, level + 1,
                                 data.splits.size()),
                     "use fewer partitions or levels");
  const StoredSplit& stored = data.splits[number];
  // masks of its own where the first view must be complete, or fewer samples lose views
  if (protocol.first_view_complete || protocol.losing < 1)
    return draw_losses(data.problem, stored.partition, protocol, seed, trial.partition);
  return {stored.partition, stored.hidden[level]};
}

std::string experiment_trial_key(const Experiment& experiment, const ExperimentTrial& trial,
                                 const std::string& digest) {
  Json key = parameters(experiment, trial);
  key["format"] = format_name;
  key["mkc_version"] = scores_since;
  key["data"] = digest;
  return sha256_of_bytes(key.dump());
}

std::string experiment_trial_json(const Experiment& experiment, const ExperimentTrial& trial) {
  const TunedResult& result = trial.result;
  return text_of_trial({{"format", format_name},
                        {"mkc_version", version},
                        {"data", experiment.data[trial.data].name},
                        {"name", experiment.methods[trial.method].tuned.name},
                        {"parameters", parameters(experiment, trial)},
                        {"chosen", result.chosen},
                        {"tried", result.tried},
                        {"tuning_error", result.tuning_error},
                        {"tuning_seconds", result.tuning_seconds}},
                       result.test);
}

std::optional<TunedResult> parse_tuned_result(const std::string& text) {
  return read_trial(text, format_name, [](const Json& json) -> TunedResult {
    return {json.at("chosen").get<std::string>(), json.at("tried").get<Index>(),
            number_at(json, "tuning_error"), number_at(json, "tuning_seconds"), result_of(json)};
  });
}

}  // namespace mkc::io
