#include <memory>
#include <optional>

#include <fmt/format.h>

#include "advise_input.hpp"
#include "advise_out.hpp"
#include "arguments.hpp"
#include "base/names.hpp"
#include "base/stopwatch.hpp"
#include "command.hpp"
#include "completion_cost.hpp"
#include "exit_codes.hpp"
#include "files/advice_tables.hpp"
#include "files/input_record.hpp"
#include "files/result_reader.hpp"
#include "interrupt.hpp"
#include "label_arguments.hpp"
#include "mkc/base/error.hpp"
#include "mkc/complete.hpp"
#include "mkc/version.hpp"
#include "report_out.hpp"
#include "stored_input.hpp"

namespace mkc::app {

namespace {

struct AdviseArguments {
  ViewArguments input;
  TerminalArguments terminal;
  LabelArguments labels;
  ReportArguments report;
  std::vector<OptionRecord> completing;  // read only where views are completed first
  std::string output, method = default_method, budget, costs, candidates;
  std::uint64_t seed = 0;
  int threads = 0;
  bool batch = false, force = false;
};

/// One run of `mkc advise`, step by step.
class AdviseRun {
 public:
  explicit AdviseRun(const AdviseArguments& arguments)
      : arguments_(arguments),
        terminal_(make_terminal(arguments.terminal)),
        stored_(is_stored_result(arguments.input.views)),
        threads_(thread_count(arguments.threads)) {}

  int run() {
    if (stored_) refuse_options_of_views(arguments_.completing);
    options_.budget = parse_budget(arguments_.budget);
    checked_method(arguments_.method);
    check_label_arguments(arguments_.labels);
    reserve_output();
    const io::InputRecord inputs(paths_);
    const AdviseInput input = stored_ ? read_result() : complete_views();
    files_ = inputs.confirmed();
    take_options(input);
    const Stopwatch watch;
    const AssayAdvice advice = input.factors ? advise(*input.factors, options_)
                                             : advise(*input.problem, input.completion, options_);
    seconds_.emplace_back("advise", watch.seconds());
    finish_first("writing the result");
    write(input, advice);
    return report_->failed() ? exit_unexpected : exit_ok;
  }

 private:
  void reserve_output() {
    if (arguments_.output.empty()) throw OptionError("the output folder is missing", "add -o DIR");
    paths_ = stored_ ? stored_inputs(arguments_.input.views[0]) : input_paths(arguments_.input);
    if (arguments_.labels.given()) paths_.push_back(arguments_.labels.existing_path());
    if (!arguments_.candidates.empty())
      paths_.push_back(require_file(arguments_.candidates,
                                    "--candidates takes a table with the columns sample and view"));
    folder_.emplace(arguments_.output, "advise", arguments_.force);
    refuse_to_overwrite_inputs(*folder_, paths_);
    if (!arguments_.report.report.empty())
      refuse_to_overwrite_inputs(arguments_.report.report, paths_);
    report_.emplace(arguments_.report, arguments_.force, &*folder_);
  }

  AdviseInput read_result() {
    terminal_.progress({"reading", 0, 0, 0});
    AdviseInput input = read_stored(arguments_.input.views[0]);
    if (arguments_.input.ids != "auto") input.ids = id_rule(arguments_.input);
    return input;
  }

  AdviseInput complete_views() {
    const Stopwatch watch;
    terminal_.progress({"reading", 0, 0, 0});
    Assembled assembled = load(arguments_.input, arguments_.labels.labels);
    for (const auto& notice : assembled.notices) terminal_.warning(notice);
    const Strings views = names_of(assembled.problem.views());
    parse_costs(arguments_.costs, views);  // before the completion, which takes longer
    if (assembled.problem.nothing_missing())
      throw InputError("nothing is missing: every sample is observed in every view",
                       "there is no assay to advise on");
    seconds_.emplace_back("read", watch.seconds());
    const Stopwatch completing;
    terminal_.progress({"completing", 0, 0, 0});
    RunOptions run = run_options(arguments_.seed, threads_, terminal_);
    run.transforms = assembled.transforms;
    Completion completion = complete_with_quality(assembled.problem, arguments_.method, run);
    if (completion.info.status == Status::interrupted)
      throw InterruptedError("interrupted while completing; nothing was written");
    for (const auto& warning : completion.info.warnings) terminal_.serious(warning);
    seconds_.emplace_back("complete", completing.seconds());
    const Problem& problem = assembled.problem;
    AdviseInput input{
        problem.samples(), views, problem.observed(), id_rule(arguments_.input), {}, {}, {}};
    input.problem = std::move(assembled.problem);
    input.completion = std::move(completion);
    return input;
  }

  void take_options(const AdviseInput& input) {
    options_.costs = parse_costs(arguments_.costs, input.views);
    if (!arguments_.candidates.empty())
      options_.candidates =
          io::read_candidates(arguments_.candidates, input.samples, input.views, input.ids);
    if (arguments_.labels.given())
      options_.target = read_target(arguments_.labels, input.samples, input.ids, terminal_).target;
    options_.batch = arguments_.batch;
    options_.seed = arguments_.seed;
    options_.threads = threads_;
    options_.progress = run_options(arguments_.seed, threads_, terminal_).progress;
  }

  void write(const AdviseInput& input, const AssayAdvice& advice) {
    const Strings &samples = input.samples, &views = input.views;
    print_advice(advice, samples, views, terminal_);
    io::write_text_file(folder_->path("advice.tsv"), io::advice_table(advice, samples, views));
    io::write_text_file(folder_->path("curve.tsv"), io::curve_table(advice));
    io::write_text_file(folder_->path("observed_value.tsv"),
                        io::observed_value_table(advice, samples, views));
    write_json("advice.json", described(advice, samples, views));
    write_json("meta_info.json", meta(input));
    const auto page = [&] {
      return report::advice_page(folder_->path("meta_info.json").parent_path(), advice, samples,
                                 views, input.observed, input.completion.kernels,
                                 arguments_.report.title);
    };
    report_->write(*folder_, folder_->target().string(), page, terminal_);
    io::write_text_file(folder_->path("mkc.log"), terminal_.log());
    commit(*folder_, terminal_);
    report_->commit();
    terminal_.message(fmt::format("ranking of {}: {}",
                                  counted(std::ssize(advice.ranking), "missing pair"),
                                  (folder_->target() / "advice.tsv").string()));
    if (arguments_.terminal.json) print_result(folder_->meta_info());
  }

  void write_json(const std::string& name, const nlohmann::ordered_json& json) {
    io::write_text_file(
        folder_->path(name),
        json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  }

  nlohmann::ordered_json meta(const AdviseInput& input) const {
    using Json = nlohmann::ordered_json;
    Json inputs = Json::array(), costs = Json::object(), seconds = Json::object();
    for (const auto& file : files_)
      inputs.push_back({{"path", file.path}, {"sha256", file.sha256}});
    for (std::size_t m = 0; m < input.views.size(); ++m)
      costs[input.views[m]] = options_.costs(static_cast<Index>(m));
    for (const auto& [phase, time] : seconds_) seconds[phase] = time;
    return {{"mkc_version", version},
            {"created", created_},
            {"command_line", command_line()},
            {"method", stored_ ? Json(nullptr) : Json(arguments_.method)},
            {"seed", arguments_.seed},
            {"threads", threads_},
            {"status", "converged"},
            {"seconds", seconds},
            {"n_samples", input.samples.size()},
            {"n_views", input.views.size()},
            {"costs", costs},
            {"budget", std::isfinite(options_.budget) ? Json(options_.budget) : Json(nullptr)},
            {"batch", arguments_.batch},
            {"labels", arguments_.labels.labels},
            {"inputs", inputs}};
  }

  const AdviseArguments& arguments_;
  Terminal terminal_;
  const bool stored_;  // the input is a result folder
  const int threads_;
  const std::string created_ = io::now_utc();
  AdviceOptions options_;
  Strings paths_;
  std::vector<io::InputFile> files_;
  std::optional<io::OutputFolder> folder_;
  std::optional<ReportOut> report_;
  std::vector<std::pair<std::string, double>> seconds_;
};

}  // namespace

Runner add_advise(CommandParser& parser) {
  auto arguments = std::make_shared<AdviseArguments>();
  parser.describe(
      "Rank the missing (sample, view) pairs by what measuring them is expected to save, per unit "
      "of cost.\n\n"
      "  mkc advise rna.csv protein.csv -o advice --budget 50 --cost rna=1,protein=3 --batch\n"
      "  mkc advise result -o advice --labels clinical.tsv:subtype     of 'mkc complete -o "
      "result'");
  add_view_arguments(parser, arguments->input);
  parser.option("-m,--method", arguments->method,
                "NAME[,option=value,...] that completes the views; see 'mkc methods'",
                Takes::method);
  arguments->completing = parser.record()->options;
  parser.option("-o,--output", arguments->output,
                "output folder; must not exist, unless --force is given", Takes::folder);
  parser.option("--budget", arguments->budget,
                "money to spend, in the unit of --cost (default: no limit)", Takes::number);
  parser.option("--cost", arguments->costs,
                "VIEW=COST,...: cost of one assay; views that are not named cost 1");
  parser.option("--candidates", arguments->candidates,
                "table with the columns sample and view: rank these pairs only", Takes::file);
  parser.flag("--batch", arguments->batch,
              "choose jointly: each pair as if those before it were measured");
  add_label_arguments(parser, arguments->labels,
                      "classes, numbers or times: rank by what a model of them gains");
  add_report_arguments(parser, arguments->report);
  parser.option("--seed", arguments->seed, "decides which rows are hidden for calibration");
  add_threads_argument(parser, arguments->threads);
  parser.flag("-f,--force", arguments->force, "replace an earlier result");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return AdviseRun(*arguments).run(); };
}

}  // namespace mkc::app
