#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "analysis_out.hpp"
#include "arguments.hpp"
#include "command.hpp"
#include "driver_input.hpp"
#include "exit_codes.hpp"
#include "files/analysis_tables.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"

namespace mkc::app {

namespace {

struct DriversArguments {
  ViewArguments input;
  TerminalArguments terminal;
  std::string result, output, clusters, embedding, model;
  int dimensions = 5, top = 0;
  bool force = false;
};

constexpr std::size_t shown_features = 3;    // per target on the terminal
constexpr std::size_t stored_features = 10;  // per target in the JSON file

// The axes of --embedding, else the leading kernel principal components; the clusters if given.
DriverTargets targets_of(const DriversArguments& arguments, const io::StoredResult& result) {
  DriverTargets targets;
  if (!arguments.embedding.empty()) {
    io::StoredAxes axes = io::read_embedding(arguments.embedding, result.samples);
    targets.axes = std::move(axes.coordinates);
    targets.axis_names = std::move(axes.names);
  } else {
    EmbedOptions options;
    options.dimensions =
        std::min<Index>(arguments.dimensions, static_cast<Index>(result.samples.size()) - 1);
    targets.axes = embed(result.kernels, result.views, result.samples, options).coordinates;
    for (Index a = 1; a <= targets.axes.cols(); ++a)
      targets.axis_names.push_back(fmt::format("axis_{}", a));
  }
  if (!arguments.clusters.empty()) {
    io::StoredClusters clusters = io::read_clusters(arguments.clusters, result.samples);
    if (clusters.labels.classes.size() < 2)
      throw InputError(fmt::format("{}: all samples are in one cluster, so no feature drives it",
                                   arguments.clusters),
                       "leave out --clusters, or make more clusters: mkc cluster --clusters K");
    targets.clusters = std::move(clusters.labels.of_sample);
    targets.cluster_names = std::move(clusters.labels.classes);
  }
  return targets;
}

// Per target the strongest features of all views together.
std::vector<std::pair<std::string, std::vector<const Driver*>>> strongest(
    const std::vector<Driver>& drivers, std::size_t most) {
  std::vector<std::pair<std::string, std::vector<const Driver*>>> targets;
  for (const auto& one : drivers) {
    if (std::isnan(one.association)) continue;
    auto found = std::find_if(targets.begin(), targets.end(),
                              [&](const auto& target) { return target.first == one.target; });
    if (found == targets.end()) found = targets.insert(targets.end(), {one.target, {}});
    found->second.push_back(&one);
  }
  for (auto& [target, best] : targets) {
    std::stable_sort(best.begin(), best.end(), [](const Driver* a, const Driver* b) {
      return std::abs(a->association) > std::abs(b->association);
    });
    best.resize(std::min(best.size(), most));
  }
  return targets;
}

void print_shares(const ViewShares& shares, const DriverTargets& targets, const Strings& views,
                  Terminal& terminal) {
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  std::vector<std::vector<std::string>> rows(1, {"variance of view"});
  rows[0].insert(rows[0].end(), targets.axis_names.begin(), targets.axis_names.end());
  rows[0].push_back("all axes");
  if (!targets.clusters.empty()) rows[0].push_back("clusters");
  for (std::size_t m = 0; m < views.size(); ++m) {
    const auto row = static_cast<Index>(m);
    std::vector<std::string> cells = {views[m]};
    for (Index a = 0; a < shares.axes.cols(); ++a) cells.push_back(percent(shares.axes(row, a)));
    cells.push_back(percent(shares.all_axes(row)));
    if (!targets.clusters.empty()) cells.push_back(percent(shares.clusters(row)));
    rows.push_back(std::move(cells));
  }
  terminal.result(format_table(rows));
}

void print_strongest(const std::vector<Driver>& drivers, Terminal& terminal) {
  std::vector<std::vector<std::string>> rows = {
      {"target", "view", "feature", "association", "measure"}};
  for (const auto& [target, best] : strongest(drivers, shown_features))
    for (const Driver* one : best)
      rows.push_back(
          {target, one->view, one->feature, fmt::format("{:.3f}", one->association), one->measure});
  terminal.result(format_table(rows));
}

nlohmann::ordered_json described(const ViewShares& shares, const DriverTargets& targets,
                                 const Strings& views) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t m = 0; m < views.size(); ++m) {
    const auto row = static_cast<Index>(m);
    nlohmann::ordered_json axes = nlohmann::ordered_json::object();
    for (Index a = 0; a < shares.axes.cols(); ++a)
      axes[targets.axis_names[at(a)]] = json_number(shares.axes(row, a));
    list.push_back({{"view", views[m]},
                    {"axes", axes},
                    {"all_axes", json_number(shares.all_axes(row))},
                    {"clusters", json_number(shares.clusters(row))}});
  }
  return list;
}

nlohmann::ordered_json described(const std::vector<Driver>& drivers) {
  nlohmann::ordered_json list = nlohmann::ordered_json::object();
  for (const auto& [target, best] : strongest(drivers, stored_features)) {
    list[target] = nlohmann::ordered_json::array();
    for (const Driver* one : best)
      list[target].push_back({{"view", one->view},
                              {"feature", one->feature},
                              {"measure", one->measure},
                              {"association", one->association}});
  }
  return list;
}

Strings inputs_of(const DriversArguments& arguments) {
  Strings inputs;
  if (!arguments.input.views.empty() || arguments.model.empty())
    inputs = input_paths(arguments.input);
  for (const auto& path : {arguments.clusters, arguments.embedding, arguments.model})
    if (!path.empty()) inputs.push_back(path);
  return inputs;
}

int run_drivers(const DriversArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  if (arguments.input.views.empty() == arguments.model.empty())
    throw OptionError(arguments.model.empty()
                          ? "the features are missing"
                          : "features come from views or from --model, not both",
                      "mkc drivers RESULT VIEW ... -o drivers.tsv, or --model FILE in place of the "
                      "views");
  AnalysisRun run("drivers", arguments.result, arguments.output, false, inputs_of(arguments),
                  arguments.force);
  const io::StoredResult result = run.read(terminal);
  const std::vector<ViewFeatures> features =
      arguments.model.empty() ? features_of_views(arguments.input, result, terminal)
                              : features_of_model(arguments.model, result.samples, terminal);
  terminal.progress({"comparing features", 0, 0, 0});
  const DriverTargets targets = targets_of(arguments, result);
  const ViewShares shares = view_shares(result.kernels, result.views, result.samples, targets);
  std::vector<Driver> drivers = feature_drivers(features, targets);
  if (arguments.top > 0)
    std::erase_if(drivers, [&](const Driver& one) { return one.rank > arguments.top; });

  finish_first("writing the result");
  io::write_drivers(run.table_path(), arguments.output, drivers);
  const auto json = run.commit({{"output", arguments.output},
                                {"samples", result.samples.size()},
                                {"view_shares", described(shares, targets, result.views)},
                                {"strongest", described(drivers)}});
  print_shares(shares, targets, result.views, terminal);
  print_strongest(drivers, terminal);
  terminal.message(fmt::format("{} rows in {}; about them: {}", drivers.size(), arguments.output,
                               run.json_target()));
  if (arguments.terminal.json) print_json(json);
  return exit_ok;
}

}  // namespace

Runner add_drivers(CommandParser& parser) {
  auto arguments = std::make_shared<DriversArguments>();
  parser.describe(
      "Find which views, and which features of a view, carry the axes and the clusters.\n\n"
      "  mkc drivers result rna.csv protein.csv -o drivers.tsv\n"
      "  mkc drivers result rna.csv protein.csv --clusters clusters.tsv -o drivers.tsv\n"
      "  mkc drivers result --model m.npz --embedding embedding.tsv -o drivers.csv");
  parser.option("RESULT", arguments->result,
                "folder of 'mkc complete', or one kernel in a file, as 'mkc combine' writes it",
                Takes::folder);
  parser.repeated(
      "VIEW", arguments->input.views,
      "[NAME=]PATH[:ARRAY][,option=value,...]: the tables that the result was made from",
      Takes::file);
  add_table_arguments(parser, arguments->input);
  parser.option("-o,--output", arguments->output,
                "table of views, features and associations (.tsv or .csv); a .json beside it has "
                "the shares of the views",
                Takes::file);
  parser.option("--clusters", arguments->clusters, "clusters that 'mkc cluster' wrote",
                Takes::file);
  parser.option("--embedding", arguments->embedding,
                "axes that 'mkc embed' wrote; default: kernel principal components", Takes::file);
  parser.count("--dimensions", arguments->dimensions, 1, 1000, "",
               "number of axes where no --embedding is given");
  parser.option("--model", arguments->model,
                "model of 'mkc complete --save-model', which keeps the scaled features: instead of "
                "VIEW",
                Takes::file);
  parser.count("--top", arguments->top, 0, 1000000000, "",
               "write only so many features per view and target; 0 = all");
  parser.flag("-f,--force", arguments->force, "replace existing files");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_drivers(*arguments); };
}

}  // namespace mkc::app
