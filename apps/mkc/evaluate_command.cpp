#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "arguments.hpp"
#include "base/stopwatch.hpp"
#include "command.hpp"
#include "complete_tables.hpp"
#include "completion_cost.hpp"
#include "config.hpp"
#include "evaluate_result.hpp"
#include "evaluate_tables.hpp"
#include "exit_codes.hpp"
#include "files/input_record.hpp"
#include "interrupt.hpp"
#include "label_arguments.hpp"
#include "mkc/base/error.hpp"
#include "mkc/registry.hpp"
#include "process_pool.hpp"
#include "report_out.hpp"
#include "stored_input.hpp"
#include "trial_runner.hpp"

namespace mkc::app {

namespace {

struct EvaluateArguments {
  ViewArguments input;
  TerminalArguments terminal;
  ReportArguments report;
  LabelArguments labels;
  Strings methods;
  std::string output;
  std::string weights = "mean";
  std::string mechanism = "pattern";
  std::string fraction = "0.15";
  std::string shard;
  std::uint64_t seed = 0;
  int views_missing = 0, repeats = 3, threads = 0;
  bool quality = false, force = false, dry_run = false;
  std::shared_ptr<const CommandRecord> options;  // all of the above as declared
  std::vector<OptionRecord> completing;          // those that a result which is completed has not
};

EvaluatePlan make_plan(const EvaluateArguments& arguments) {
  EvaluatePlan plan;
  plan.methods = arguments.methods.empty() ? Strings{"auto"} : arguments.methods;
  for (const auto& text : plan.methods) checked_method(text);
  plan.mechanism = mechanism_of("--mechanism", arguments.mechanism);
  plan.fraction = detail::to_number("--fraction", arguments.fraction, 0.001, 0.9);
  if (arguments.views_missing > 0 && plan.mechanism == Mechanism::pattern)
    throw OptionError("--views-missing belongs to --mechanism mcar",
                      "'pattern' hides the views that other samples lack");
  plan.views_missing = arguments.views_missing;
  plan.repeats = arguments.repeats;
  plan.quality = arguments.quality;
  plan.seed = arguments.seed;
  plan.weights = static_cast<ViewWeighting>(
      detail::to_choice("--weights", arguments.weights, view_weighting_names));
  return plan;
}

std::unique_ptr<TrialOutput> make_output(const EvaluateArguments& arguments,
                                         const Strings& inputs) {
  if (arguments.dry_run) return nullptr;
  auto output = std::make_unique<TrialOutput>(
      arguments.output, "evaluate", arguments.force,
      [](const std::string& text) { return io::parse_trial(text).has_value(); });
  refuse_to_overwrite_inputs(output->folder, inputs);
  if (!arguments.report.report.empty()) refuse_to_overwrite_inputs(arguments.report.report, inputs);
  return output;
}

// A run that is continued may replace its own page, but no other file.
bool may_replace_report(const EvaluateArguments& arguments, bool continued) {
  std::error_code error;
  return arguments.force ||
         (continued && std::filesystem::is_regular_file(arguments.report.report, error) &&
          report::is_report(arguments.report.report));
}

std::optional<TypedLabels> load_labels(const EvaluateArguments& arguments, const Problem& problem,
                                       Terminal& terminal) {
  if (!arguments.labels.given()) return std::nullopt;
  TypedLabels labels =
      read_target(arguments.labels, problem.samples(), id_rule(arguments.input), terminal);
  check_target(labels.target, problem.samples());
  const auto without = problem.samples().size() - labelled(labels.target).size();
  if (without > 0)
    terminal.warning(
        fmt::format("{} of {} samples have no label and are left out where labels are needed",
                    without, problem.n_samples()));
  return labels;
}

struct EvaluateData {
  Assembled assembled;
  std::string digest;
  std::optional<TypedLabels> labels;

  const Problem& problem() const { return assembled.problem; }
  const Target* known_labels() const { return labels ? &labels->target : nullptr; }
};

EvaluateData read_data(const EvaluateArguments& arguments, bool continued, Terminal& terminal) {
  EvaluateData data{load(arguments.input, arguments.labels.labels), "", {}};
  for (const auto& notice : data.assembled.notices) terminal.warning(notice);
  terminal.result(side_lines(data.assembled.views));
  data.digest = io::problem_digest(data.problem(), data.assembled.transforms);
  if (continued) io::check_same_data(arguments.output, data.digest);
  data.labels = load_labels(arguments, data.problem(), terminal);
  return data;
}

// In a process of its own.
std::string text_of_trial(const EvaluateData& data, const EvaluatePlan& plan,
                          const TrialPlan& trial, int threads) {
  RunOptions run;
  run.threads = threads;
  run.transforms = data.assembled.transforms;
  run.progress = [](const Progress&) { return !interrupted(); };
  const TrialResult result =
      run_trial(data.problem(), trial, plan, data.known_labels(), run, peak_memory_mib);
  return result.interrupted ? "" : io::trial_json({trial, result});
}

// Fills evaluation.trials with the finished ones, in the order of the plan.
void run_trials(const std::vector<TrialPlan>& trials, const EvaluateData& data,
                const io::TrialStore& store, const io::Shard& shard, int threads,
                io::Evaluation& evaluation, Terminal& terminal) {
  Strings keys;
  for (const auto& trial : trials)
    keys.push_back(io::trial_key(trial, evaluation.plan, data.digest, data.known_labels()));
  TrialRunner runner{"evaluating", threads, store, {}, {}, {}, shard};
  runner.work = [&](std::size_t t, int threads_each) {
    return text_of_trial(data, evaluation.plan, trials[t], threads_each);
  };
  runner.finished = [&](std::size_t t, const std::string& text) {
    if (auto trial = io::parse_trial(text))
      evaluation.trials.push_back({trials[t], std::move(trial->result)});
  };
  runner.failed = [&](std::size_t t, const std::string& failure) {
    evaluation.trials.push_back({trials[t], lost_result(failure)});
    evaluation.trials.back().result.spec = trials[t].method;
  };
  runner.run(keys, terminal);
}

void show_scores(const io::Evaluation& evaluation, Terminal& terminal) {
  terminal.result(score_text(evaluation));
  if (!evaluation.labels.empty()) terminal.result(label_text(evaluation));
  for (const auto& summary : summarize(evaluation.trials))
    if (!summary.failure.empty())
      terminal.warning(fmt::format("{}: {}", summary.method, summary.failure));
}

void write_result(const EvaluateArguments& arguments, const io::Evaluation& evaluation,
                  const EvaluateData& data, const io::RunRecord& record, TrialOutput& output,
                  ReportOut& report, Terminal& terminal) {
  io::OutputFolder& folder = output.folder;
  io::write_evaluation(folder, evaluation, data.assembled, record);
  io::write_text_file(
      folder.path("config.toml"),
      effective_config(*arguments.options, evaluation.plan.methods,
                       resolved_specs(arguments.input, data.assembled), folder.target()));
  report.write(
      folder, output.place,
      [&] {
        return report::evaluation_page(folder.path("meta_info.json").parent_path(),
                                       {arguments.report.title, nullptr, record.threads});
      },
      terminal);
  output.commit(terminal);
  report.commit();
  if (arguments.terminal.json) print_result(folder.meta_info());
}

int run_on_result(const EvaluateArguments& arguments, Terminal& terminal) {
  refuse_options_of_views(arguments.completing);
  if (arguments.output.empty()) throw OptionError("the output folder is missing", "add -o DIR");
  LabelArguments labels = arguments.labels;
  labels.ids = arguments.input.ids;
  return evaluate_result(
      {arguments.input.views[0], arguments.output, labels, make_plan(arguments),
       thread_count(arguments.threads), arguments.force, arguments.terminal.json},
      terminal);
}

int run_evaluate(const EvaluateArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  check_label_arguments(arguments.labels);
  if (is_stored_result(arguments.input.views)) return run_on_result(arguments, terminal);
  io::Evaluation evaluation{make_plan(arguments), {}, 0, arguments.labels.labels};
  const io::Shard shard = shard_of_trials(arguments.shard, arguments.force);
  if (arguments.weights != "mean" && !arguments.labels.given())
    throw OptionError("--weights weighs the views where labels are predicted",
                      "add --labels FILE[:COLUMN]");
  if (arguments.output.empty() && !arguments.dry_run)
    throw OptionError("the output folder is missing", "add -o DIR, or --dry-run to only look");
  Strings inputs = input_paths(arguments.input);
  if (arguments.labels.given()) inputs.push_back(arguments.labels.path());
  const bool continued = !arguments.force && io::is_result_of("evaluate", arguments.output);
  const auto output = make_output(arguments, inputs);
  ReportOut report(arguments.report, may_replace_report(arguments, continued),
                   output ? &output->folder : nullptr);

  io::RunRecord record{command_line(), {}, thread_count(arguments.threads), false, {}};
  const Stopwatch reading;
  terminal.progress({"reading", 0, 0, 0});
  const io::InputRecord read(inputs);
  const EvaluateData data = read_data(arguments, continued, terminal);
  record.inputs = read.confirmed();
  if (data.labels) {
    evaluation.label_type = type_of(data.labels->target);
    evaluation.label_evidence = data.labels->evidence;
  }
  const auto trials = plan_trials(evaluation.plan, data.problem(), data.known_labels());
  evaluation.planned = static_cast<Index>(trials.size());
  // also throws here, before any work, if the rows cannot be hidden
  const HeldOut first = hidden_copy(data.problem(), evaluation.plan, 1);
  record.seconds.emplace_back("read", reading.seconds());
  terminal.result(hiding_text(evaluation.plan, data.problem(), first));
  if (arguments.dry_run) return end_dry_run(trials.size(), terminal);

  finish_first("writing the finished trials");
  const Stopwatch running;
  run_trials(trials, data, output->store, shard, record.threads, evaluation, terminal);
  if (!arguments.shard.empty())
    return end_of_shard(shard, evaluation.trials.size(), evaluation.planned, terminal);
  record.seconds.emplace_back("run", running.seconds());
  if (evaluation.trials.empty()) return end_without_result(terminal);
  show_scores(evaluation, terminal);
  const int code =
      output->describe_end("tables", evaluation.trials.size(), evaluation.planned, terminal);
  if (code == exit_interrupted) report.keep_finished();
  write_result(arguments, evaluation, data, record, *output, report, terminal);
  return code == exit_ok && report.failed() ? exit_unexpected : code;
}

}  // namespace

Runner add_evaluate(CommandParser& parser) {
  auto arguments = std::make_shared<EvaluateArguments>();
  parser.describe(
      "Compare methods, the mean of the other views and k-nearest neighbours on observed rows that "
      "are "
      "hidden.\n\n"
      "  mkc evaluate rna.csv protein.csv methyl.tsv.gz -o trial\n"
      "  mkc evaluate kernels.npz -m auto -m embd_ht --repeats 5 --labels clinical.tsv:subtype "
      "-o trial\n"
      "  mkc evaluate result --labels clinical.tsv:subtype -o scores     of 'mkc complete -o "
      "result'");
  add_view_arguments(parser, arguments->input);
  parser.repeated("-m,--method", arguments->methods,
                  "NAME[,option=value,...], may be repeated; default: auto. 'mean' and 'knn' are "
                  "always included",
                  Takes::method);
  parser.choice("--mechanism", arguments->mechanism, mechanism_names,
                "which rows to hide: pattern (as other samples lack views)|mcar (at random)");
  parser.option("--fraction", arguments->fraction,
                "share of each view's rows to hide; with --views-missing, of the samples");
  parser.count(
      "--views-missing", arguments->views_missing, 0, 1000000, "",
      "with mcar: views that each chosen sample loses; 0 = hide rows of each view separately");
  parser.flag("--quality", arguments->quality,
              "error intervals for every method ('auto' always has them)");
  add_report_arguments(parser, arguments->report);
  parser.option(
      "--shard", arguments->shard,
      "run only this part of the trials, for example 3/7, beside other processes with the "
      "same output; without it, the result is written");
  parser.flag("-n,--dry-run", arguments->dry_run, "read and check everything, write nothing");
  arguments->completing = parser.record()->options;
  parser.option("-o,--output", arguments->output,
                "output folder; an earlier evaluation there is continued", Takes::folder);
  parser.count("--repeats", arguments->repeats, 1, 100000, "",
               "how many times, each with other rows hidden");
  add_label_arguments(parser, arguments->labels,
                      "classes, numbers or times: also score how well they are predicted");
  parser.choice("--weights", arguments->weights, view_weighting_names,
                "of the views where labels are predicted: mean (equal)|alignment|alignf (learnt "
                "from the labels of training samples)");
  parser.option("--seed", arguments->seed, "decides every random draw");
  add_threads_argument(parser, arguments->threads);
  parser.flag("-f,--force", arguments->force, "run everything again, replace an earlier result");
  add_terminal_arguments(parser, arguments->terminal);
  arguments->options = parser.record();
  return [arguments] { return run_evaluate(*arguments); };
}

}  // namespace mkc::app
