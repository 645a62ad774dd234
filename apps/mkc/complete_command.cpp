#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "arguments.hpp"
#include "command.hpp"
#include "completion_cost.hpp"
#include "config.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "select/conformal.hpp"
#include "mkc/complete.hpp"
#include "mkc/base/error.hpp"
#include "files/labels.hpp"
#include "mkc/files/model_file.hpp"
#include "mkc/files/pending_file.hpp"
#include "mkc/files/result_folder.hpp"
#include "formats/sha256.hpp"
#include "files/views_out.hpp"
#include "base/names.hpp"
#include "select/stacking.hpp"
#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "report_out.hpp"
#include "mkc/registry.hpp"

namespace mkc::app {

namespace {

struct CompleteArguments {
  ViewArguments input;
  TalkArguments talk;
  ReportArguments report;
  std::string output;
  std::string labels;
  std::string method = default_method;
  std::string budget;
  std::string format = "npz";
  std::string memory;
  std::string model;
  std::uint64_t seed = 0;
  int threads = 0;
  bool fitted = false;
  bool quality = false;
  bool force = false;
  bool strict = false;
  bool dry_run = false;
  std::shared_ptr<const CommandRecord> options;  // all of the above as declared
};

io::KernelFormat kernel_format(const std::string& text) {
  return static_cast<io::KernelFormat>(
      detail::to_choice("--format", text, {"npz", "tsv", "hdf5", "h5mu", "mat"}));
}

// Told before the work, not after it.
void check_format(io::KernelFormat format, const Problem& problem) {
  if (format == io::KernelFormat::mat && !io::fits_mat(problem.n_samples(), problem.n_views()))
    throw OptionError(
        fmt::format("--format mat: {} kernels of {} samples are above the 2 GiB of a MATLAB 5 file",
                    problem.n_views(), problem.n_samples()),
        "choose --format hdf5, which MATLAB reads with h5read");
}

void check_memory(const CompleteArguments& arguments, const Problem& problem, Terminal& terminal) {
  const double needed = bytes_needed(problem, arguments.method, thread_count(arguments.threads));
  terminal.detail(fmt::format("memory needed: about {:.3g} MiB", needed / 0x1p20));
  if (arguments.memory.empty()) return;
  const double allowed = parse_bytes(arguments.memory);
  if (needed > allowed)
    throw MemoryError(
        fmt::format("about {:.3g} MiB are needed for {} samples x {} views with '{}', --memory "
                    "allows {:.3g} MiB",
                    needed / 0x1p20, problem.n_samples(), problem.n_views(), arguments.method,
                    allowed / 0x1p20));
}

// The method with what --budget says.
std::string method_spec(const CompleteArguments& arguments) {
  if (arguments.budget.empty()) return arguments.method;
  Spec spec = parse_spec(arguments.method);
  if (spec.name != "auto")
    throw OptionError(
        "--budget chooses the candidates of 'auto'; the method here is '" + spec.name + "'",
        "leave out --budget or --method");
  spec.options.emplace_back("budget", arguments.budget);
  return format_spec(spec);
}

std::string percent(double error) {
  return std::isnan(error) ? "-" : fmt::format("{:.1f} %", 100 * error);
}

// Was completion worth it? The error of rows that were hidden on purpose, view by view.
std::string trust(const Problem& problem, const Quality& quality) {
  std::vector<std::vector<std::string>> rows = {
      {"view", "completed", "error", "error of the mean fill", "worst row (90 %)"}};
  for (Index m = 0; m < problem.n_views(); ++m) {
    double worst = std::numeric_limits<double>::quiet_NaN();
    for (const Index t : problem.missing(m)) worst = std::fmax(worst, quality.high(t, m));
    rows.push_back({problem.view(m).name, std::to_string(problem.missing(m).size()),
                    percent(quality.held_out_errors(m)), percent(quality.mean_fill_errors(m)),
                    percent(worst)});
  }
  return format_table(rows) +
         fmt::format("relative errors of {} observed rows that were hidden and completed{}\n",
                     quality.hidden_rows,
                     quality.hidden_samples < ConformalErrors::fewest_samples
                         ? fmt::format(", of {} samples only: rough", quality.hidden_samples)
                         : "");
}

// The method with its options; of `auto`, the methods it took and their shares over all views.
std::string used(const Completion& completion) {
  std::map<std::string, double> share_of;  // variants of a method together
  for (const auto& candidate : completion.candidates)
    if (candidate.weights.size() > 0 && candidate.weights.sum() > 0)
      share_of[parse_spec(candidate.spec).name] += candidate.weights.mean();
  if (share_of.empty()) return format_spec({completion.info.method, completion.info.parameters});
  std::vector<std::pair<std::string, double>> shares(share_of.begin(), share_of.end());
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Strings parts;
  for (const auto& [name, share] : shares)
    parts.push_back(fmt::format("{} {:.0f} %", name, 100 * share));
  return fmt::format("{}: {}", completion.info.method, join(parts));
}

std::string overview(const Assembled& assembled, const std::string& samples) {
  const Problem& problem = assembled.problem;
  std::vector<std::vector<std::string>> rows = {{"view", "samples", "missing", "in", "kernel"}};
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ViewSummary& view = assembled.views[at(m)];
    rows.push_back({view.name, std::to_string(problem.view(m).rows.size()),
                    std::to_string(problem.missing(m).size()),
                    view.samples_in == SamplesIn::columns ? "columns" : "rows", view.kernel});
  }
  const Index in_all = problem.observed().rowwise().all().count();
  return format_table(rows) + fmt::format("{}, {}{}, {} in all views\n",
                                          counted(problem.n_views(), "view"),
                                          counted(problem.n_samples(), "sample"),
                                          samples == "union" ? " in the union" : "", in_all);
}

RunOptions run_options(const CompleteArguments& arguments, const Assembled& assembled,
                       Terminal& terminal) {
  RunOptions run;
  run.seed = arguments.seed;
  run.threads = thread_count(arguments.threads);
  run.fitted = arguments.fitted;
  run.transforms = assembled.transforms;
  run.progress = [&terminal](const Progress& progress) {
    terminal.progress(progress);
    return !interrupted();
  };
  return run;
}

int stop_before_result(Terminal& terminal) {
  terminal.message("interrupted before anything was completed; nothing was written");
  return exit_interrupted;
}

int finish(const CompleteArguments& arguments, const Info& info, Terminal& terminal) {
  if (info.status == Status::interrupted) {
    terminal.message(fmt::format("interrupted: the best result so far is in {}", arguments.output));
    return exit_interrupted;
  }
  if (info.status == Status::max_iterations) {
    terminal.warning(fmt::format("not converged after {} iterations (relative residual {:.2g})",
                                 info.iterations, info.residual));
    if (arguments.strict) return exit_not_converged;
  }
  return exit_ok;
}

// With every option the method has.
std::string effective_method(const Spec& method) {
  return format_spec({method.name, find_method(method.name).effective_options(method.options)});
}

// A model may stand in the result folder, but not in the place of the result.
void check_model_name(const std::string& model, const io::OutputFolder& folder) {
  const auto inside = folder.relative(model);
  if (inside && io::is_result_name(*inside))
    throw OptionError(fmt::format("--save-model: '{}' is a file of the result", model),
                      "give the model a name of its own, such as model.npz");
  if (!model.ends_with(".npz"))
    throw OptionError(fmt::format("--save-model: '{}' does not end in .npz", model),
                      "a model is one NPZ file: --save-model model.npz");
}

int run_complete(const CompleteArguments& arguments) {
  Terminal terminal = make_terminal(arguments.talk);
  const std::string spec = method_spec(arguments);
  const Spec method = checked_method(spec);
  const io::KernelFormat format = kernel_format(arguments.format);
  if (!arguments.memory.empty()) parse_bytes(arguments.memory);
  if (arguments.output.empty() && !arguments.dry_run)
    throw OptionError("the output folder is missing", "add -o DIR, or --dry-run to only look");
  if (!arguments.labels.empty() && arguments.report.report == "none")
    throw OptionError("--labels colours the samples of the report; --report none has none",
                      "leave out one of them");
  const Strings paths = input_paths(arguments.input);
  Strings inputs = paths;
  if (!arguments.labels.empty()) inputs.push_back(io::parse_label_source(arguments.labels).path);
  std::optional<io::OutputFolder> folder;
  std::optional<io::PendingFile> model;
  if (!arguments.dry_run) {
    folder.emplace(arguments.output, arguments.force);
    spare_inputs(*folder, inputs);
    if (!arguments.model.empty()) {
      check_model_name(arguments.model, *folder);
      spare_inputs(arguments.model, inputs);
      model.emplace(arguments.model, arguments.force, *folder);
    }
  }
  ReportOut report(arguments.report, arguments.force, folder ? &*folder : nullptr);

  io::RunRecord record{command_line(), {}, thread_count(arguments.threads), arguments.fitted, {}};
  const Stopwatch reading;
  terminal.progress({"reading", 0, 0, 0});
  for (const auto& path : paths) record.inputs.push_back({path, io::sha256_of_file(path)});
  const Assembled assembled = load(arguments.input, model.has_value());
  record.seconds.emplace_back("read", reading.seconds());
  for (const auto& notice : assembled.notices) terminal.warning(notice);
  terminal.result(overview(assembled, arguments.input.samples));
  check_memory(arguments, assembled.problem, terminal);
  check_format(format, assembled.problem);
  io::check_array_names(names_of(assembled.problem.views()));
  std::optional<Labels> labels;
  if (!arguments.labels.empty())
    labels = read_labels(arguments.labels, assembled.problem.samples(), terminal);
  if (interrupted()) return stop_before_result(terminal);
  if (arguments.dry_run) {
    terminal.message(fmt::format("dry run: would complete with '{}', seed {}; nothing was written",
                                 arguments.method, arguments.seed));
    return exit_ok;
  }

  const Stopwatch completing;
  const RunOptions run = run_options(arguments, assembled, terminal);
  const Completion completion = arguments.quality
                                    ? complete_with_quality(assembled.problem, spec, run)
                                    : complete(assembled.problem, spec, run);
  for (const auto& notice : completion.info.notices) terminal.warning(notice);
  const int code = finish(arguments, completion.info, terminal);
  terminal.result(fmt::format("completed with {} (seed {}) in {:.3f} s: {}\n", used(completion),
                              arguments.seed, completing.seconds(), arguments.output));

  if (completion.quality) terminal.result(trust(assembled.problem, *completion.quality));

  io::write_result(*folder, assembled, completion, record, format);
  io::write_text_file(
      folder->path("config.toml"),
      effective_config(*arguments.options, {effective_method(method)},
                       settled_specs(arguments.input, assembled), folder->target()));
  report.write(
      *folder, arguments.output,
      [&] {
        return report::completion_page(
            folder->path("meta_info.json").parent_path(), assembled.problem.samples(),
            names_of(assembled.problem.views()), completion.kernels,
            {arguments.report.title, labels ? &*labels : nullptr, record.threads});
      },
      terminal);
  io::write_text_file(folder->path("mkc.log"), terminal.log());
  if (model)
    io::write_model(model->path(), {trained_model(assembled.problem, completion), assembled.recipes,
                                    io::meta_info(assembled, completion, record)});
  folder->commit();
  report.commit();
  if (model) {
    model->commit();
    terminal.result(fmt::format("model for new samples (mkc predict): {}\n", arguments.model));
  }
  if (arguments.talk.json) print_result(io::meta_info(assembled, completion, record));
  return code == exit_ok && report.failed() ? exit_unexpected : code;
}

}  // namespace

Runner add_complete(CommandParser& parser) {
  auto arguments = std::make_shared<CompleteArguments>();
  parser.describe(
      "Complete the kernels of several views: one file per view, each with the samples it has.\n\n"
      "  mkc complete rna.csv protein.csv methyl.tsv.gz -o result\n"
      "  mkc complete rna=a.csv,kernel=rbf,gamma=0.1 kinship.npz:K,kind=kernel -m knn,k=7 -o "
      "result");
  add_view_arguments(parser, arguments->input);
  parser.option("-o,--output", arguments->output, "output folder; must not exist unless --force",
                Takes::folder);
  parser.option("-m,--method", arguments->method, "NAME[,option=value,...]; see 'mkc methods'",
                Takes::method);
  parser.option("--budget", arguments->budget,
                "nominal seconds on one core that 'auto' may plan for: more tries more methods");
  parser.flag("--quality", arguments->quality,
              "estimate the error of every completed row ('auto' always does)");
  parser.choice("--format", arguments->format, {"npz", "tsv", "hdf5", "h5mu", "mat"},
                "of the kernels: npz|tsv|hdf5|h5mu|mat");
  parser.option("--save-model", arguments->model,
                "also write a model file from which 'mkc predict' completes new samples",
                Takes::file);
  parser.option("--seed", arguments->seed, "decides every random draw");
  add_threads_argument(parser, arguments->threads);
  parser.option("--memory", arguments->memory, "refuse to start above this, for example 8G");
  add_report_arguments(parser, arguments->report);
  parser.option("--labels", arguments->labels,
                "FILE[:COLUMN], sample ids and classes: colours of the samples in the report",
                Takes::file);
  parser.flag("--fitted", arguments->fitted,
              "write the model's own matrices; observed entries are not put back");
  parser.flag("-f,--force", arguments->force, "replace an earlier result");
  parser.flag("--strict", arguments->strict, "exit with 4 where the method did not converge");
  parser.flag("-n,--dry-run", arguments->dry_run, "read and check everything, write nothing");
  add_talk_arguments(parser, arguments->talk);
  arguments->options = parser.record();
  return [arguments] { return run_complete(*arguments); };
}

}  // namespace mkc::app
