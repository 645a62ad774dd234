#include <memory>

#include <fmt/format.h>

#include "arguments.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "files/analysis_tables.hpp"
#include "files/result_reader.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"
#include "report_out.hpp"

namespace mkc::app {

namespace {

struct ReportCommandArguments {
  TerminalArguments terminal;
  LabelArguments labels;
  std::string folder, output, title, clusters;
  int threads = 0;
  bool force = false;
};

std::string page_of(const ReportCommandArguments& arguments, Terminal& terminal) {
  report::ReportOptions options;
  options.title = arguments.title;
  options.threads = thread_count(arguments.threads);
  if (io::is_result_of("evaluate", arguments.folder)) {
    if (arguments.labels.given() || !arguments.clusters.empty())
      throw OptionError(fmt::format("{} colours the samples of a completion; this is an evaluation",
                                    arguments.labels.given() ? "--labels" : "--clusters"),
                        "leave it out");
    return report::evaluation_page(arguments.folder, options);
  }
  const io::SampledResult sampled = io::read_result_sample(arguments.folder, report::most_shown);
  const io::StoredResult& result = sampled.shown;
  if (sampled.places.size() < sampled.samples.size()) {
    options.shown = sampled.places;
    terminal.message(fmt::format("kernels and the map of samples show {} of {} samples",
                                 sampled.places.size(), sampled.samples.size()));
  }
  std::optional<TypedLabels> labels;
  if (arguments.labels.given())
    labels = read_target(arguments.labels, result.samples, result.ids, terminal);
  options.labels = labels ? &labels->target : nullptr;
  options.label_name = labels ? labels->name : "";
  std::optional<io::StoredClusters> clusters;
  if (!arguments.clusters.empty()) clusters = io::read_clusters(arguments.clusters, result.samples);
  if (clusters) {
    if (!clusters->is_described) terminal.warning(clusters->notices.front());
    options.clusters = &clusters->labels;
    options.cluster_evidence = {clusters->strength, clusters->graph, clusters->stability,
                                clusters->reference, clusters->notices};
  }
  return report::completion_page(arguments.folder, sampled.samples, result.views, result.kernels,
                                 options);
}

int run_report(const ReportCommandArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  if (arguments.folder.empty()) throw OptionError("the result folder is missing", "mkc report DIR");
  const std::string target =
      arguments.output.empty() ? (std::filesystem::path(arguments.folder) / "report.html").string()
                               : arguments.output;
  if (!target.ends_with(".html") && !target.ends_with(".htm"))
    throw OptionError(fmt::format("-o: '{}' does not end in .html or .htm", target),
                      "a report is a page: -o report.html");
  refuse_to_overwrite_result(target, arguments.folder, "report.html");
  check_label_arguments(arguments.labels);
  if (arguments.labels.given()) refuse_to_overwrite_inputs(target, {arguments.labels.path()});
  if (!arguments.clusters.empty()) refuse_to_overwrite_inputs(target, {arguments.clusters});
  terminal.progress({"making the report", 0, 0, 0});
  const std::string page =
      page_of(arguments, terminal);  // first: it refuses folders without a result
  finish_first("writing the report");
  io::PendingFile file(target, arguments.force);
  io::write_text_file(file.path(), page);
  file.commit();
  terminal.message(fmt::format("report: {}", target));
  return exit_ok;
}

}  // namespace

Runner add_report(CommandParser& parser) {
  auto arguments = std::make_shared<ReportCommandArguments>();
  parser.describe(
      "Make the report of a result again: with another title, colours by label, or in another "
      "place.\n\n"
      "  mkc report result -o report.html --labels clinical.tsv:subtype\n"
      "  mkc report result --clusters clusters.tsv --labels clinical.tsv:days,died -o report.html\n"
      "  mkc report result --force        replaces result/report.html");
  parser.option("DIR", arguments->folder, "folder that 'mkc complete' or 'mkc evaluate' wrote",
                Takes::folder);
  parser.option("-o,--output", arguments->output, "a file; default: report.html in the folder",
                Takes::file);
  parser.option("--title", arguments->title, "heading of the report");
  add_label_arguments(parser, arguments->labels,
                      "classes, numbers or times: colours of the samples");
  add_label_ids_argument(parser, arguments->labels);
  parser.option("--clusters", arguments->clusters,
                "clusters that 'mkc cluster' wrote: shown beside --labels, with survival times as "
                "Kaplan-Meier curves",
                Takes::file);
  add_threads_argument(parser, arguments->threads);
  parser.flag("-f,--force", arguments->force, "replace an existing file");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_report(*arguments); };
}

}  // namespace mkc::app
