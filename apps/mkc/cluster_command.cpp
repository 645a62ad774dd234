#include <memory>

#include <fmt/format.h>

#include "analysis_out.hpp"
#include "arguments.hpp"
#include "base/text.hpp"
#include "cluster_labels.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "files/analysis_tables.hpp"
#include "interrupt.hpp"
#include "label_arguments.hpp"
#include "mkc/base/error.hpp"
#include "mkc/base/options.hpp"

namespace mkc::app {

namespace {

struct ClusterArguments {
  TerminalArguments terminal;
  std::string input, output;
  std::string clusters = "auto";
  LabelArguments labels;
  int max_clusters = 10, resamples = 20, threads = 0;
  std::uint64_t seed = 0;
  bool force = false;
};

Index cluster_count(const std::string& text) {
  if (text == "auto") return 0;
  double number = 0;
  if (!parse_number(text, number) || number < 2 || number > 100000 || number != std::floor(number))
    throw OptionError(fmt::format("--clusters: '{}' is not auto or a whole number from 2", text));
  return static_cast<Index>(number);
}

nlohmann::ordered_json described(const Clustering& clustering) {
  auto counts = nlohmann::ordered_json::array(), graphs = nlohmann::ordered_json::array();
  for (const auto& one : clustering.counts)
    counts.push_back({{"clusters", one.clusters},
                      {"graph", graph_name(one.graph)},
                      {"stability", one.stability},
                      {"reference", one.reference},
                      {"reference_high", one.reference_high},
                      {"deviations", one.deviations},
                      {"excess", one.excess()},
                      {"above_reference", one.above_reference}});
  for (const auto& one : clustering.graphs)
    graphs.push_back({{"graph", graph_name(one.graph)},
                      {"clusters", one.clusters},
                      {"stability", one.stability}});
  auto sizes = nlohmann::ordered_json::array();
  for (Index c = 0; c < clustering.clusters; ++c)
    sizes.push_back(std::count(clustering.of_sample.begin(), clustering.of_sample.end(), c));
  return {{"found", clustering.found},
          {"clusters", clustering.clusters},
          {"sizes", sizes},
          {"graph", clustering.clusters > 1 ? nlohmann::ordered_json(graph_name(clustering.graph))
                                            : nlohmann::ordered_json(nullptr)},
          {"stability", json_number(clustering.stability)},
          {"reference", json_number(clustering.reference)},
          {"tried", counts},
          {"graphs", graphs},
          {"notices", clustering.notices}};
}

void print_counts(const Clustering& clustering, Terminal& terminal) {
  std::vector<std::vector<std::string>> rows = {
      {"clusters", "graph", "stability", "without clusters", "excess", ""}};
  for (const auto& one : clustering.counts)
    rows.push_back({std::to_string(one.clusters), graph_name(one.graph),
                    fmt::format("{:.2f}", one.stability),
                    fmt::format("{:.2f} (to {:.2f})", one.reference, one.reference_high),
                    fmt::format("{:.2f}", one.excess()),
                    one.clusters == clustering.clusters ? "chosen"
                    : one.above_reference               ? ""
                                                        : "not clear"});
  terminal.result(format_table(rows));
}

void print_clusters(const Clustering& clustering, Terminal& terminal) {
  std::vector<std::vector<std::string>> rows = {{"cluster", "samples", "mean strength", "weakest"}};
  for (Index c = 0; c < clustering.clusters; ++c) {
    double sum = 0, weakest = 1;
    Index size = 0;
    for (Index i = 0; i < clustering.strength.size(); ++i)
      if (clustering.of_sample[at(i)] == c) {
        ++size;
        sum += clustering.strength(i);
        weakest = std::min(weakest, clustering.strength(i));
      }
    rows.push_back({std::to_string(c + 1), std::to_string(size),
                    fmt::format("{:.2f}", sum / static_cast<double>(size)),
                    fmt::format("{:.2f}", weakest)});
  }
  terminal.result(format_table(rows));
}

int run_cluster(const ClusterArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  ClusterOptions options;
  options.clusters = cluster_count(arguments.clusters);
  Strings more;
  check_label_arguments(arguments.labels);
  if (arguments.labels.given()) more.push_back(arguments.labels.existing_path());
  AnalysisRun run("cluster", arguments.input, arguments.output, true, more, arguments.force);
  const auto factors = run.read_factors(terminal);
  const io::StoredResult result = factors ? io::StoredResult{} : run.read(terminal);
  const Strings& samples = factors ? factors->samples : result.samples;
  std::optional<TypedLabels> labels;
  if (arguments.labels.given())
    labels = read_target(arguments.labels, samples, factors ? factors->ids : result.ids, terminal);

  options.max_clusters = arguments.max_clusters;
  options.resamples = arguments.resamples;
  options.seed = arguments.seed;
  options.threads = thread_count(arguments.threads);
  options.progress = run_options(arguments.seed, options.threads, terminal).progress;
  const Clustering clustering =
      factors ? cluster(*factors, options)
              : cluster(result.kernels, result.views, result.samples, options);

  finish_first("writing the result");
  io::write_clusters(run.table_path(), arguments.output, samples, clustering);
  nlohmann::ordered_json about = {
      {"output", arguments.output},
      {"samples", samples.size()},
      {"views", factors ? factors->views : result.views},
      {"seed", arguments.seed},
      {"resamples", arguments.resamples},
      {"max_clusters", arguments.max_clusters},
      {"asked", options.clusters > 0 ? nlohmann::ordered_json(options.clusters)
                                     : nlohmann::ordered_json("auto")}};
  about.update(described(clustering));
  if (labels) about["labels"] = compared(clustering.of_sample, clustering.clusters, labels->target);
  const auto json = run.commit(about);
  print_counts(clustering, terminal);
  if (clustering.clusters > 1) print_clusters(clustering, terminal);
  for (const auto& notice : clustering.notices) terminal.warning(notice);
  if (labels) print_comparison(about["labels"], terminal);
  terminal.message(fmt::format("{} of {} samples in {}; about them: {}",
                               counted(clustering.clusters, "cluster"), samples.size(),
                               arguments.output, run.json_target()));
  if (arguments.terminal.json) print_json(json);
  return exit_ok;
}

}  // namespace

Runner add_cluster(CommandParser& parser) {
  auto arguments = std::make_shared<ClusterArguments>();
  parser.describe(
      "Find clusters of samples without labels, and how surely each sample is in its cluster.\n\n"
      "  mkc cluster result -o clusters.tsv\n"
      "  mkc cluster result --clusters 6 --labels clinical.tsv:subtype -o clusters.tsv\n"
      "  mkc cluster result --labels clinical.tsv:days,died -o clusters.tsv\n"
      "  mkc report result --labels clusters.tsv:cluster -o report.html");
  parser.option("RESULT", arguments->input,
                "folder of 'mkc complete', or one kernel in a file, as 'mkc combine' writes it",
                Takes::folder);
  parser.option("-o,--output", arguments->output,
                "table of samples, clusters and strengths: .tsv or .csv, plain or .gz; a .json "
                "beside it says how it was made",
                Takes::file);
  parser.option("-k,--clusters", arguments->clusters,
                "number of clusters, or auto: the largest that is about as stable as any",
                Takes::number);
  parser.count("--max-clusters", arguments->max_clusters, 2, 1000, "",
               "largest number that auto tries");
  parser.count("--resamples", arguments->resamples, 2, 10000, "",
               "how often samples are drawn anew");
  add_label_arguments(parser, arguments->labels,
                      "classes, numbers or times to compare with; they play no part in the "
                      "clusters");
  add_label_ids_argument(parser, arguments->labels);
  parser.option("--seed", arguments->seed, "decides the draws");
  add_threads_argument(parser, arguments->threads);
  parser.flag("-f,--force", arguments->force, "replace existing files");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_cluster(*arguments); };
}

}  // namespace mkc::app
