#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "base/names.hpp"
#include "base/stopwatch.hpp"
#include "cohort_files.hpp"
#include "command.hpp"
#include "completion_cost.hpp"
#include "exit_codes.hpp"
#include "formats/sha256.hpp"
#include "formats/tables_out.hpp"
#include "interrupt.hpp"
#include "mkc/complete.hpp"
#include "mkc/files/result_folder.hpp"
#include "mkc/kernels/kernel_options.hpp"
#include "mkc/problem/metrics.hpp"
#include "mkc/problem/synthetic.hpp"
#include "mkc/version.hpp"
#include "numeric/blocks.hpp"
#include "report_out.hpp"
#include "select/stacking.hpp"

namespace mkc::app {

namespace {

struct DemoArguments {
  std::string output = "mkc_demo";
  std::string method = default_method;
  std::uint64_t seed = 1;
  int threads = 0;
  bool force = false;
  bool cohort = false;
  TerminalArguments terminal;
  ReportArguments report{"", "mkc demo: four views of 150 simulated samples"};
};

// Writes the rows of the samples that the view has.
void write_view(const std::string& path, const Example& example, Index m) {
  const ExampleView& view = example.views[at(m)];
  Strings ids, features;
  Indices rows, columns;
  for (Index i = 0; i < view.features.rows(); ++i)
    if (example.observed(i, m)) {
      rows.push_back(i);
      ids.push_back(example.samples[at(i)]);
    }
  for (Index j = 0; j < view.features.cols(); ++j) {
    columns.push_back(j);
    features.push_back(fmt::format("{}{}", view.name.substr(0, 3), j + 1));
  }
  io::write_matrix_tsv(path, ids, features, submatrix(view.features, rows, columns));
}

std::string view_text(const std::string& path, const ExampleView& view) {
  return format_spec({path, view.kernel});
}

struct DemoRow {
  std::string view, kernel;
  Index samples, missing;
  double error, mean_error;
};

// Errors of the hidden rows in percent, next to those of the mean of the other views.
std::vector<DemoRow> compare_with_truth(const Example& example, const Assembled& assembled,
                                        const Completion& completion, const Completion& mean) {
  const Problem& problem = assembled.problem;
  std::vector<Index> order;  // position in the problem -> position in the example
  for (const auto& id : problem.samples())
    order.push_back(std::find(example.samples.begin(), example.samples.end(), id) -
                    example.samples.begin());
  std::vector<DemoRow> rows;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ExampleView& view = example.views[at(m)];
    const Matrix all =
        compute_kernel(view.features, kernel_option_table().parse(view.kernel)).kernel;
    const Matrix truth = submatrix(all, order, order);
    const Indices& missing = problem.missing(m);
    rows.push_back({view.name, assembled.views[at(m)].kernel,
                    static_cast<Index>(problem.view(m).rows.size()),
                    static_cast<Index>(missing.size()),
                    average_relative_error(truth, completion.kernels[at(m)], missing),
                    average_relative_error(truth, mean.kernels[at(m)], missing)});
  }
  return rows;
}

std::string table_text(const std::vector<DemoRow>& rows, double seconds) {
  std::vector<std::vector<std::string>> cells = {
      {"view", "kernel", "samples", "missing", "error %", "mean of other views %", "seconds"}};
  double error = 0, mean_error = 0;
  for (const auto& row : rows) {
    cells.push_back({row.view, row.kernel, std::to_string(row.samples), std::to_string(row.missing),
                     fmt::format("{:.1f}", row.error), fmt::format("{:.1f}", row.mean_error), ""});
    error += row.error / static_cast<double>(rows.size());
    mean_error += row.mean_error / static_cast<double>(rows.size());
  }
  cells.push_back({"all", "", "", "", fmt::format("{:.1f}", error),
                   fmt::format("{:.1f}", mean_error), fmt::format("{:.3f}", seconds)});
  return format_table(cells);
}

nlohmann::ordered_json table_json(const std::vector<DemoRow>& rows, const DemoArguments& arguments,
                                  double seconds) {
  nlohmann::ordered_json views = nlohmann::ordered_json::array();
  for (const auto& row : rows)
    views.push_back({{"view", row.view},
                     {"kernel", row.kernel},
                     {"samples", row.samples},
                     {"missing", row.missing},
                     {"are", row.error},
                     {"are_mean_of_others", row.mean_error}});
  return {{"output", arguments.output},
          {"method", arguments.method},
          {"seed", arguments.seed},
          {"seconds", seconds},
          {"views", views}};
}

// truth.tsv: errors against the true kernels, which only an example has.
void write_truth(io::OutputFolder& folder, const std::vector<DemoRow>& rows) {
  Strings views;
  Matrix errors(static_cast<Index>(rows.size()), 2);
  for (const auto& row : rows) {
    errors.row(static_cast<Index>(views.size())) << row.error, row.mean_error;
    views.push_back(row.view);
  }
  io::write_matrix_tsv(folder.path("truth.tsv"), views, {"error", "mean_of_others"}, errors,
                       "view");
}

// The input files as a user would have them: one per view, without its missing samples.
struct DemoInput {
  ViewArguments arguments;
  std::string command = "mkc complete";  // completes the same files
};

DemoInput write_input(const Example& example, const std::string& output, io::OutputFolder& folder,
                      io::RunRecord& record) {
  DemoInput input;
  for (std::size_t m = 0; m < example.views.size(); ++m) {
    const std::string name = "input/" + example.views[m].name + ".tsv";
    const std::string path = folder.path(name);
    write_view(path, example, static_cast<Index>(m));
    input.arguments.views.push_back(view_text(path, example.views[m]));
    record.inputs.push_back({name, io::sha256_of_file(path)});
    input.command += " " + view_text(output + "/" + name, example.views[m]);
  }
  return input;
}

void print_errors(const DemoArguments& arguments, const Problem& problem,
                  const std::vector<DemoRow>& rows, double seconds, const std::string& command,
                  Terminal& terminal) {
  terminal.message(fmt::format(
      "{} samples, {} views. A quarter of the (sample, view) pairs is hidden and completed with "
      "{}.",
      problem.n_samples(), problem.n_views(), arguments.method));
  terminal.message("error: average relative error of the hidden rows");
  terminal.message("mean of other views: the same for the method 'mean'");
  terminal.message("");
  terminal.result(table_text(rows, seconds));
  terminal.message("");
  terminal.message(fmt::format(
      "result in {}/: report.html, kernels.npz, observed.tsv, meta_info.json", arguments.output));
  terminal.message("to complete these files yourself:");
  terminal.message(
      fmt::format("  {} -m {} --seed {} -o result", command, arguments.method, arguments.seed));
}

void write(const DemoArguments& arguments, const Assembled& assembled, const Completion& completion,
           const std::vector<DemoRow>& rows, const io::RunRecord& record, io::OutputFolder& folder,
           ReportOut& report, Terminal& terminal) {
  std::string place = arguments.output;
  if (completion.info.status == Status::interrupted) {
    if (folder.keep_finished()) place = folder.target().string();
    report.keep_finished();
    terminal.message(fmt::format("interrupted: the best result so far is in {}{}", place,
                                 kept_finished(arguments.output, place)));
  }
  io::write_result(folder, assembled, completion, record, io::KernelFormat::npz);
  write_truth(folder, rows);
  const auto page = [&] {
    return report::completion_page(folder.path("meta_info.json").parent_path(),
                                   assembled.problem.samples(), names_of(assembled.problem.views()),
                                   completion.kernels,
                                   {arguments.report.title, nullptr, record.threads});
  };
  report.write(folder, place, page, terminal);
  io::write_text_file(folder.path("mkc.log"), terminal.log());
  commit(folder, terminal);
  report.commit();
}

// Files to try the commands on, nothing completed.
int run_cohort(const DemoArguments& arguments) {
  if (arguments.method != default_method || !arguments.report.report.empty())
    throw OptionError("--cohort completes nothing, so --method and --report do not apply",
                      "leave them out, or leave out --cohort");
  Terminal terminal = make_terminal(arguments.terminal);
  io::OutputFolder folder(arguments.output, "demo", arguments.force);
  const Cohort cohort = make_cohort(150, arguments.seed);
  finish_first("writing the files");
  write_cohort(folder, cohort);
  const nlohmann::ordered_json meta = {{"mkc_version", version},
                                       {"created", io::now_utc()},
                                       {"command_line", command_line()},
                                       {"seed", arguments.seed},
                                       {"patients", cohort.patients.size()}};
  io::write_text_file(folder.path("meta_info.json"), meta.dump(2) + "\n");
  commit(folder, terminal);
  terminal.message(fmt::format(
      "{} simulated patients in {}/: rna.csv, methylation.csv, protein.csv (features in rows, "
      "aliquots in columns), clinical.csv (subtype, days, died)",
      cohort.patients.size(), arguments.output));
  terminal.message("next:");
  terminal.message(fmt::format("  mkc inspect {0}/rna.csv {0}/methylation.csv {0}/protein.csv",
                               arguments.output));
  if (arguments.terminal.json) print_result(folder.meta_info());
  return exit_ok;
}

int run_demo(const DemoArguments& arguments) {
  if (arguments.cohort) return run_cohort(arguments);
  Terminal terminal = make_terminal(arguments.terminal);
  io::OutputFolder folder(arguments.output, "demo", arguments.force);
  ReportOut report(arguments.report, arguments.force, &folder);
  const Example example = make_example(150, 0.25, arguments.seed);
  io::RunRecord record{command_line(), {}, thread_count(arguments.threads), false, {}};
  const Stopwatch reading;
  const DemoInput input = write_input(example, arguments.output, folder, record);
  Assembled assembled = load(input.arguments);
  for (std::size_t m = 0; m < assembled.views.size(); ++m)
    assembled.views[m].source = record.inputs[m].path;
  record.seconds.emplace_back("read", reading.seconds());

  const RunOptions run = run_options(arguments.seed, record.threads, terminal);
  const Stopwatch completing;
  const Completion completion = complete_with_quality(assembled.problem, arguments.method, run);
  const double seconds = completing.seconds();
  finish_first("writing the result");
  const Completion mean = complete(assembled.problem, "mean", run);
  const auto rows = compare_with_truth(example, assembled, completion, mean);
  print_errors(arguments, assembled.problem, rows, seconds, input.command, terminal);
  write(arguments, assembled, completion, rows, record, folder, report, terminal);
  if (arguments.terminal.json) print_json(table_json(rows, arguments, seconds));
  return interrupted() ? exit_interrupted : exit_ok;
}

}  // namespace

Runner add_demo(CommandParser& parser) {
  auto arguments = std::make_shared<DemoArguments>();
  parser.describe(
      "Complete four views of 150 simulated samples, a quarter of them hidden, and compare with "
      "the truth.\n\n"
      "  mkc demo\n"
      "  mkc demo --seed 7 -m knn,k=3 -o other\n"
      "  mkc demo --cohort -o cohort");
  parser.option("-o,--output", arguments->output, "output folder, also with the input tables",
                Takes::folder);
  parser.option("-m,--method", arguments->method, "NAME[,option=value,...]; see 'mkc methods'",
                Takes::method);
  add_report_arguments(parser, arguments->report);
  parser.option("--seed", arguments->seed, "seed of the example and of all random numbers");
  add_threads_argument(parser, arguments->threads);
  parser.flag("--cohort", arguments->cohort,
              "write the files of a simulated cancer study instead: three tables and clinical "
              "data, to try the commands on");
  parser.flag("-f,--force", arguments->force, "replace an earlier result");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_demo(*arguments); };
}

}  // namespace mkc::app
