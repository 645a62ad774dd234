#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "arguments.hpp"
#include "cell_runner.hpp"
#include "command.hpp"
#include "completion_cost.hpp"
#include "config.hpp"
#include "evaluate_tables.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"
#include "files/labels.hpp"
#include "formats/sha256.hpp"
#include "mkc/registry.hpp"
#include "base/stopwatch.hpp"
#include "process_pool.hpp"
#include "report_out.hpp"

namespace mkc::app {

namespace {

struct EvaluateArguments {
  ViewArguments input;
  TerminalArguments terminal;
  ReportArguments report;
  Strings methods;
  std::string output;
  std::string mechanism = "pattern";
  std::string fraction = "0.15";
  std::string labels;
  std::uint64_t seed = 0;
  int views_missing = 0;
  int repeats = 3;
  int threads = 0;
  bool quality = false;
  bool force = false;
  bool dry_run = false;
  std::shared_ptr<const CommandRecord> options;  // all of the above as declared
};

EvaluatePlan make_plan(const EvaluateArguments& arguments) {
  EvaluatePlan plan;
  plan.methods = arguments.methods.empty() ? Strings{"auto"} : arguments.methods;
  for (const auto& text : plan.methods) checked_method(text);
  plan.mechanism = static_cast<Mechanism>(
      detail::to_choice("--mechanism", arguments.mechanism, {"pattern", "mcar"}));
  plan.fraction = detail::to_number("--fraction", arguments.fraction, 0.001, 0.9);
  if (arguments.views_missing > 0 && plan.mechanism == Mechanism::pattern)
    throw OptionError("--views-missing belongs to --mechanism mcar",
                      "'pattern' hides the views that real samples miss");
  plan.views_missing = arguments.views_missing;
  plan.repeats = arguments.repeats;
  plan.quality = arguments.quality;
  plan.seed = arguments.seed;
  return plan;
}

std::optional<Labels> load_labels(const EvaluateArguments& arguments, const Problem& problem,
                                  Terminal& terminal) {
  if (arguments.labels.empty()) return std::nullopt;
  Labels labels = read_labels(arguments.labels, problem.samples(), terminal);
  check_classes(labels, problem.samples());
  const auto without = problem.samples().size() - labels.labelled().size();
  if (without > 0)
    terminal.warning(
        fmt::format("{} of {} samples have no label and are left out where labels are needed",
                    without, problem.n_samples()));
  return labels;
}

// All that stays the same while cells run.
struct Work {
  const Problem& problem;
  const std::vector<KernelTransformOptions>& transforms;
  const EvaluatePlan& plan;
  const Labels* labels;
  const io::CellStore& store;
};

// In a process of its own: one cell, from beginning to text.
std::string run_to_text(const Work& work, const CellPlan& cell, int threads) {
  RunOptions run;
  run.threads = threads;
  run.transforms = work.transforms;
  run.progress = [](const Progress&) { return !interrupted(); };
  const CellResult result =
      run_cell(work.problem, cell, work.plan, work.labels, run, peak_memory_mib);
  return result.interrupted ? "" : io::cell_json({cell, result});
}

EvaluatedCell lost_cell(const CellPlan& plan, const std::string& failure) {
  EvaluatedCell cell{plan, {}};
  cell.result.spec = plan.method;
  cell.result.status = "failed";
  cell.result.failure = failure;
  cell.result.seconds = cell.result.peak_mib = std::numeric_limits<double>::quiet_NaN();
  return cell;
}

// The cells that are finished, in the order of the plan; those in the store are not run again.
std::vector<EvaluatedCell> run_cells(const Work& work, const std::vector<CellPlan>& cells,
                                     const Strings& keys, int threads, Terminal& terminal) {
  const CellRunner runner{"evaluating", threads, work.store, [&](std::size_t c, int threads_each) {
                            return run_to_text(work, cells[c], threads_each);
                          }};
  const auto outcomes = runner.run(keys, terminal);
  std::vector<EvaluatedCell> finished;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (auto cell = io::parse_cell(outcomes[c].text))
      finished.push_back({cells[c], std::move(cell->result)});
    else if (!outcomes[c].failure.empty())
      finished.push_back(lost_cell(cells[c], outcomes[c].failure));
  }
  return finished;
}

void tell_failures(const std::vector<EvaluatedCell>& cells, Terminal& terminal) {
  for (const auto& summary : summarize(cells))
    if (!summary.failure.empty())
      terminal.warning(fmt::format("{}: {}", summary.method, summary.failure));
}

// A run that is continued may replace its own page, and no other file.
bool replaces_report(const EvaluateArguments& arguments, bool continued) {
  std::error_code error;
  return continued && std::filesystem::is_regular_file(arguments.report.report, error) &&
         report::is_report(arguments.report.report);
}

int run_evaluate(const EvaluateArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  io::Evaluation evaluation{make_plan(arguments), {}, 0, arguments.labels};
  if (arguments.output.empty() && !arguments.dry_run)
    throw OptionError("the output folder is missing", "add -o DIR, or --dry-run to only look");
  Strings paths = input_paths(arguments.input);
  if (!arguments.labels.empty()) paths.push_back(io::parse_label_source(arguments.labels).path);
  std::optional<io::OutputFolder> folder;
  std::optional<io::CellStore> store;
  const bool replaces = arguments.force || io::is_result_of("evaluate", arguments.output);
  if (!arguments.dry_run) {
    folder.emplace(arguments.output, replaces);
    refuse_to_overwrite_inputs(*folder, paths);
    if (!arguments.force) folder->keep_others(io::is_name_of_run);
    store.emplace(folder->target(), arguments.force,
                  [](const std::string& text) { return io::parse_cell(text).has_value(); });
  }
  ReportOut report(arguments.report, arguments.force || replaces_report(arguments, replaces),
                   folder ? &*folder : nullptr);

  io::RunRecord record{command_line(), {}, thread_count(arguments.threads), false, {}};
  const Stopwatch reading;
  terminal.progress({"reading", 0, 0, 0});
  for (const auto& path : paths) record.inputs.push_back({path, io::sha256_of_file(path)});
  const Assembled assembled = load(arguments.input);
  const Problem& problem = assembled.problem;
  for (const auto& notice : assembled.notices) terminal.warning(notice);
  const std::string digest = io::problem_digest(problem, assembled.transforms);
  if (replaces && !arguments.force) io::check_same_data(arguments.output, digest);
  const std::optional<Labels> labels = load_labels(arguments, problem, terminal);
  const std::vector<CellPlan> cells =
      plan_cells(evaluation.plan, problem, labels ? &*labels : nullptr);
  // what cannot be hidden is told before any work
  const HeldOut first = hidden_copy(problem, evaluation.plan, 1);
  evaluation.planned = static_cast<Index>(cells.size());
  record.seconds.emplace_back("read", reading.seconds());
  terminal.result(hiding_text(evaluation.plan, problem, first));
  if (arguments.dry_run) {
    terminal.message(
        fmt::format("dry run: {} cells would be run; nothing was written", cells.size()));
    return exit_ok;
  }

  const Stopwatch running;
  Strings keys;
  for (const auto& cell : cells)
    keys.push_back(io::cell_key(cell, evaluation.plan, digest, labels ? &*labels : nullptr));
  const Work work{problem, assembled.transforms, evaluation.plan, labels ? &*labels : nullptr,
                  *store};
  evaluation.cells = run_cells(work, cells, keys, record.threads, terminal);
  record.seconds.emplace_back("run", running.seconds());
  if (evaluation.cells.empty()) {
    terminal.message("interrupted before anything was finished; nothing was written");
    return exit_interrupted;
  }

  terminal.result(score_text(evaluation));
  if (labels) terminal.result(label_text(evaluation));
  tell_failures(evaluation.cells, terminal);
  const bool whole = evaluation.cells.size() == cells.size();
  terminal.message(whole ? fmt::format("tables in {}", arguments.output)
                         : fmt::format("interrupted: {} of {} cells are in {}; the same command "
                                       "goes on from there",
                                       evaluation.cells.size(), cells.size(), arguments.output));
  const std::string info = io::write_evaluation(*folder, evaluation, assembled, record);
  io::write_text_file(
      folder->path("config.toml"),
      effective_config(*arguments.options, evaluation.plan.methods,
                       resolved_specs(arguments.input, assembled), folder->target()));
  store->move_into(*folder);
  report.write(
      *folder, arguments.output,
      [&] {
        return report::evaluation_page(folder->path("meta_info.json").parent_path(),
                                       {arguments.report.title, nullptr, record.threads});
      },
      terminal);
  io::write_text_file(folder->path("mkc.log"), terminal.log());
  folder->commit();
  report.commit();
  store->clear();
  if (arguments.terminal.json) print_result(info);
  if (!whole) return exit_interrupted;
  return report.failed() ? exit_unexpected : exit_ok;
}

}  // namespace

Runner add_evaluate(CommandParser& parser) {
  auto arguments = std::make_shared<EvaluateArguments>();
  parser.describe(
      "Try methods on rows that are known but hidden, beside filling in the mean and "
      "neighbours.\n\n"
      "  mkc evaluate rna.csv protein.csv methyl.tsv.gz -o trial\n"
      "  mkc evaluate kernels.npz -m auto -m embd_ht --repeats 5 --labels clinical.tsv:subtype "
      "-o trial");
  add_view_arguments(parser, arguments->input);
  parser.option("-o,--output", arguments->output,
                "output folder; an earlier evaluation there is continued", Takes::folder);
  parser.repeated("-m,--method", arguments->methods,
                  "NAME[,option=value,...], may be repeated; auto where there is none. 'mean' and "
                  "'knn' are always there",
                  Takes::method);
  parser.choice("--mechanism", arguments->mechanism, {"pattern", "mcar"},
                "which rows to hide: pattern (as real samples miss views)|mcar (at random)");
  parser.option("--fraction", arguments->fraction,
                "share of each view's rows to hide; with --views-missing, of the samples");
  parser.count("--views-missing", arguments->views_missing, 0, 1000000, "",
               "with mcar: views each chosen sample loses; 0 = rows of each view by themselves");
  parser.count("--repeats", arguments->repeats, 1, 100000, "", "times other rows are hidden");
  parser.option("--labels", arguments->labels,
                "FILE[:COLUMN], sample ids and classes: SVM accuracy and clustering too",
                Takes::file);
  parser.flag("--quality", arguments->quality,
              "intervals of every method ('auto' has them in any case)");
  add_report_arguments(parser, arguments->report);
  parser.option("--seed", arguments->seed, "decides every random draw");
  add_threads_argument(parser, arguments->threads);
  parser.flag("-f,--force", arguments->force, "run everything again, replace an earlier result");
  parser.flag("-n,--dry-run", arguments->dry_run, "read and check everything, write nothing");
  add_terminal_arguments(parser, arguments->terminal);
  arguments->options = parser.record();
  return [arguments] { return run_evaluate(*arguments); };
}

}  // namespace mkc::app
