#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "arguments.hpp"
#include "base/names.hpp"
#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "complete_arguments.hpp"
#include "complete_tables.hpp"
#include "completion_form.hpp"
#include "config.hpp"
#include "exit_codes.hpp"
#include "factor_run.hpp"
#include "files/input_record.hpp"
#include "files/views_out.hpp"
#include "formats/dense_size.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"
#include "mkc/complete.hpp"
#include "mkc/files/model_file.hpp"
#include "mkc/files/pending_file.hpp"
#include "mkc/files/result_folder.hpp"
#include "mkc/registry.hpp"
#include "process_pool.hpp"
#include "report_out.hpp"
#include "select/auto.hpp"

namespace mkc::app {

namespace {

// Checked before the completion, not after it.
void check_format(io::KernelFormat format, const Problem& problem) {
  if (format == io::KernelFormat::mat && !io::fits_mat(problem.n_samples(), problem.n_views()))
    throw OptionError(
        fmt::format("--format mat: {} kernels of {} samples exceed the 2 GiB of a MATLAB 5 file",
                    problem.n_views(), problem.n_samples()),
        "choose --format hdf5, which MATLAB reads with h5read");
}

// The method, with --budget as its option.
std::string method_spec(const CompleteArguments& arguments) {
  if (arguments.budget.empty()) return arguments.method;
  Spec spec = parse_spec(arguments.method);
  if (spec.name != "auto")
    throw OptionError("--budget works only with 'auto'; the method is '" + spec.name + "'",
                      "leave out --budget or --method");
  spec.options.emplace_back("budget", arguments.budget);
  return format_spec(spec);
}

int stop_before_result(Terminal& terminal) {
  terminal.message("interrupted before the first result; nothing was written");
  return exit_interrupted;
}

// `place`: where the result will be.
int finish(const CompleteArguments& arguments, const Info& info, const std::string& place,
           Terminal& terminal) {
  if (info.status == Status::interrupted) {
    terminal.message(fmt::format("interrupted: the best result so far is in {}{}", place,
                                 kept_finished(arguments.output, place)));
    return exit_interrupted;
  }
  if (info.status == Status::max_iterations) {
    terminal.warning(fmt::format("not converged after {} iterations (relative residual {:.2g})",
                                 info.iterations, info.residual));
    if (arguments.strict) return exit_not_converged;
  }
  return exit_ok;
}

// The method with all its options, also those left at their defaults.
std::string effective_method(const Spec& method) {
  return format_spec({method.name, find_method(method.name).effective_options(method.options)});
}

// A model may be in the result folder, but not under the name of a result file.
void check_model_name(const std::string& model, const io::OutputFolder& folder) {
  const auto inside = folder.relative(model);
  if (inside && io::is_result_name(*inside))
    throw OptionError(fmt::format("--save-model: '{}' is a file of the result", model),
                      "choose another file name, such as model.npz");
  if (!model.ends_with(".npz"))
    throw OptionError(fmt::format("--save-model: '{}' does not end in .npz", model),
                      "a model is one NPZ file: --save-model model.npz");
}

/// One run of `mkc complete`, step by step.
class CompleteRun {
 public:
  explicit CompleteRun(const CompleteArguments& arguments)
      : arguments_(arguments),
        terminal_(make_terminal(arguments.terminal)),
        spec_(method_spec(arguments)),
        method_(checked_method(spec_)),
        place_(arguments.output),
        format_(static_cast<io::KernelFormat>(
            detail::to_choice("--format", arguments.format, io::kernel_format_names()))) {}

  int run() {
    check_arguments();
    reserve_outputs();
    const io::InputRecord inputs(paths_);
    std::optional<Input> input;
    if (!reads_blocks()) input = read(inputs);
    const auto why =
        input ? why_factor_form(arguments_, *input, terminal_)
              : std::optional<std::string>("the tables are larger than the memory for them");
    if (why)
      return complete_in_factor_form(
          arguments_, terminal_, folder_ ? &*folder_ : nullptr, record_,
          {inputs, std::move(input), *why, &*report_, model_ ? &*model_ : nullptr});
    const Assembled assembled = assemble(std::move(*input));
    check(assembled.problem);
    const std::optional<TypedLabels> labels = read_colours(assembled.problem);
    if (interrupted()) return stop_before_result(terminal_);
    if (arguments_.dry_run) return end_dry_run();
    const Completion completion = complete_problem(assembled);
    finish_first("writing the result");
    if (completion.info.status == Status::interrupted) keep_finished();
    const int code = finish(arguments_, completion.info, place_, terminal_);
    print(assembled.problem, completion);
    write(assembled, completion, labels);
    commit();
    terminal_.detail(fmt::format("memory used at most: {:.0f} MiB", peak_memory_mib()));
    if (arguments_.terminal.json) print_result(folder_->meta_info());
    return code == exit_ok && report_->failed() ? exit_unexpected : code;
  }

 private:
  void check_arguments() const {
    if (!arguments_.memory.empty()) parse_bytes(arguments_.memory);
    if (arguments_.output.empty() && !arguments_.dry_run)
      throw OptionError("the output folder is missing",
                        "add -o DIR, or --dry-run to write nothing");
    check_form(arguments_);
    check_label_arguments(arguments_.labels);
    if (arguments_.labels.given() && arguments_.report.report == "none")
      throw OptionError(
          "--labels colours the samples of the report, but --report none leaves it out",
          "leave out --labels or --report none");
  }

  /// Checks every output before the completion, so that none is refused after it.
  void reserve_outputs() {
    paths_ = input_paths(arguments_.input);
    if (!arguments_.dry_run) {
      Strings inputs = paths_;
      if (arguments_.labels.given()) inputs.push_back(arguments_.labels.path());
      folder_.emplace(arguments_.output, "complete", arguments_.force);
      refuse_to_overwrite_inputs(*folder_, inputs);
      if (!arguments_.report.report.empty())
        refuse_to_overwrite_inputs(arguments_.report.report, inputs);
      if (!arguments_.model.empty()) {
        check_model_name(arguments_.model, *folder_);
        refuse_to_overwrite_inputs(arguments_.model, inputs);
        model_.emplace(arguments_.model, arguments_.force, *folder_);
      }
    }
    report_.emplace(arguments_.report, arguments_.force, folder_ ? &*folder_ : nullptr);
    record_ = {command_line(), {}, thread_count(arguments_.threads), arguments_.fitted, {}};
    const IdRule ids = id_rule(arguments_.input);
    record_.ids = ids.is_exact() ? "exact" : id_rule_text(ids);
  }

  /// Whether the tables stay in their files.
  bool reads_blocks() const { return may_read_blocks(arguments_) && tables_too_large(arguments_); }

  Input read(const io::InputRecord& inputs) {
    const Stopwatch reading;
    terminal_.progress({"reading", 0, 0, 0});
    const io::MemoryLimit limit(arguments_.memory.empty() ? std::numeric_limits<double>::infinity()
                                                          : parse_bytes(arguments_.memory));
    Input input = read_input(arguments_.input, arguments_.labels.labels);
    record_.inputs = inputs.confirmed();
    record_.seconds.emplace_back("read", reading.seconds());
    return input;
  }

  Assembled assemble(Input input) {
    const Stopwatch assembling;
    Assembled assembled = assemble_input(std::move(input), model_.has_value());
    record_.seconds.back().second += assembling.seconds();
    for (const auto& notice : assembled.notices) terminal_.warning(notice);
    terminal_.result(view_table(assembled, arguments_.input.samples) + side_lines(assembled.views) +
                     type_lines(assembled.views));
    return assembled;
  }

  void check(const Problem& problem) {
    check_format(format_, problem);
    io::check_array_names(names_of(problem.views()));
  }

  std::optional<TypedLabels> read_colours(const Problem& problem) {
    if (!arguments_.labels.given()) return std::nullopt;
    return read_target(arguments_.labels, problem.samples(), id_rule(arguments_.input), terminal_);
  }

  int end_dry_run() {
    terminal_.message(fmt::format("dry run: would complete with '{}', seed {}; nothing was written",
                                  arguments_.method, arguments_.seed));
    return exit_ok;
  }

  Completion complete_problem(const Assembled& assembled) {
    const Stopwatch completing;
    terminal_.progress({"completing", 0, 0, 0});
    RunOptions run = run_options(arguments_.seed, record_.threads, terminal_);
    run.fitted = arguments_.fitted;
    run.transforms = assembled.transforms;
    Completion completion = arguments_.quality
                                ? complete_with_quality(assembled.problem, spec_, run)
                                : complete(assembled.problem, spec_, run);
    seconds_ = completing.seconds();
    for (const auto& warning : completion.info.warnings) terminal_.serious(warning);
    for (const auto& notice : completion.info.notices) terminal_.warning(notice);
    return completion;
  }

  /// An interrupted run replaces nothing that is finished.
  void keep_finished() {
    if (folder_->keep_finished()) place_ = folder_->target().string();
    report_->keep_finished();
    if (model_) model_->keep_finished();
  }

  void print(const Problem& problem, const Completion& completion) {
    terminal_.result(fmt::format("completed with {} (seed {}) in {:.3f} s: {}\n",
                                 methods_used(completion), arguments_.seed, seconds_,
                                 printable(place_)));
    if (completion.quality) terminal_.result(quality_table(problem, *completion.quality));
  }

  void write(const Assembled& assembled, const Completion& completion,
             const std::optional<TypedLabels>& labels) {
    io::write_result(*folder_, assembled, completion, record_, format_);
    io::write_text_file(
        folder_->path("config.toml"),
        effective_config(*arguments_.options, {effective_method(method_)},
                         resolved_specs(arguments_.input, assembled), folder_->target()));
    const auto page = [&] {
      return report::completion_page(folder_->path("meta_info.json").parent_path(),
                                     assembled.problem.samples(),
                                     names_of(assembled.problem.views()), completion.kernels,
                                     {arguments_.report.title, labels ? &labels->target : nullptr,
                                      record_.threads, labels ? labels->name : ""});
    };
    report_->write(*folder_, place_, page, terminal_);
    io::write_text_file(folder_->path("mkc.log"), terminal_.log());
    if (model_)
      io::write_model(model_->path(),
                      {trained_model(assembled.problem, completion), assembled.recipes,
                       io::meta_info(assembled, completion, record_)});
  }

  void commit() {
    app::commit(*folder_, terminal_);
    report_->commit();
    if (!model_) return;
    model_->commit();
    terminal_.result(fmt::format("model for new samples (mkc predict): {}\n",
                                 printable(model_->target().string())));
  }

  const CompleteArguments& arguments_;
  Terminal terminal_;
  const std::string spec_;
  const Spec method_;
  std::string place_;  // of the result
  const io::KernelFormat format_;
  Strings paths_;  // of the input files
  std::optional<io::OutputFolder> folder_;
  std::optional<io::PendingFile> model_;
  std::optional<ReportOut> report_;
  io::RunRecord record_;
  double seconds_ = 0;  // of the completion
};

}  // namespace

Runner add_complete(CommandParser& parser) {
  auto arguments = std::make_shared<CompleteArguments>();
  parser.describe(
      "Complete the kernels of several views. Each view is a file with the samples it has.\n\n"
      "  mkc complete rna.csv protein.csv methyl.tsv.gz -o result\n"
      "  mkc complete rna=a.csv,kernel=rbf,gamma=0.1 kinship.npz:K,kind=kernel -m knn,k=7 -o "
      "result");
  add_view_arguments(parser, arguments->input);
  parser.option("-o,--output", arguments->output,
                "output folder; must not exist, unless --force is given", Takes::folder);
  parser.option("-m,--method", arguments->method, "NAME[,option=value,...]; see 'mkc methods'",
                Takes::method);
  parser.option("--budget", arguments->budget,
                fmt::format("nominal seconds on one core for the candidates of 'auto'; a larger "
                            "budget tries more methods (default: {})",
                            AutoOptions().budget));
  parser.flag("--quality", arguments->quality,
              "estimate the error of every completed row; 'auto' always does");
  parser.choice("--form", arguments->form, form_names(),
                "kernels in memory, or factors of kernels block by block for many samples; auto: "
                "dense up to 10,000 samples if they fit into memory (auto|dense|factor)");
  add_factor_arguments(parser, "factor form: ", arguments->factor);
  parser.choice("--format", arguments->format, io::kernel_format_names(),
                "file format of the kernels (npz|tsv|hdf5|h5mu|mat)");
  parser.option("--save-model", arguments->model,
                "also write a model file (.npz), with which 'mkc predict' completes new samples",
                Takes::file);
  parser.option("--seed", arguments->seed, "seed of all random numbers");
  add_threads_argument(parser, arguments->threads);
  parser.option("--memory", arguments->memory,
                "stop if more memory would be needed, for example 8G (default: no limit)");
  add_report_arguments(parser, arguments->report);
  add_label_arguments(parser, arguments->labels,
                      "classes, numbers or times, which colour the samples in the report");
  parser.flag("--fitted", arguments->fitted,
              "write the matrices of the model; do not restore observed entries");
  parser.flag("-f,--force", arguments->force, "replace an earlier result");
  parser.flag("--strict", arguments->strict, "exit with code 4 if the method does not converge");
  parser.flag("-n,--dry-run", arguments->dry_run, "read and check all input, but write nothing");
  add_terminal_arguments(parser, arguments->terminal);
  arguments->options = parser.record();
  return [arguments] { return CompleteRun(*arguments).run(); };
}

}  // namespace mkc::app
