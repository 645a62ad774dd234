#include <memory>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "complete_tables.hpp"
#include "exit_codes.hpp"
#include "factor_tables.hpp"
#include "files/input_record.hpp"
#include "files/prediction_folder.hpp"
#include "files/result_reader.hpp"
#include "formats/npz.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/factor_model.hpp"
#include "mkc/files/output_folder.hpp"

namespace mkc::app {

namespace {

constexpr const char* model_hint = "'mkc complete ... --save-model FILE' writes a model";

struct PredictArguments {
  TerminalArguments terminal;
  std::string model;
  ViewArguments input;
  std::string output;
  std::string format = "npz";
  int threads = 0;
  bool force = false;
};

// The views as they must be read for the model: as tables, with samples_in as in training.
struct RequestedViews {
  std::vector<io::ViewSpec> specs;
  std::vector<bool> kernel_rows;
};

bool is_given(const io::ViewSpec& spec, const char* name) {
  return std::any_of(spec.read_options.begin(), spec.read_options.end(),
                     [&](const auto& option) { return option.first == name; });
}

RequestedViews requested_views(const io::SavedModel& model, const PredictArguments& arguments) {
  RequestedViews requested;
  for (io::ViewSpec& spec : view_specs(arguments.input)) {
    if (spec.name.empty())
      throw OptionError(
          fmt::format("--view '{}': the name of the view in the model is missing", spec.path),
          "--view NAME=FILE, for example --view rna=" + spec.path);
    const Index m = view_position(model, spec.name);
    for (const auto& [name, value] : spec.kernel_options)
      throw OptionError(
          fmt::format("--view '{}': option '{}' is fixed by the model", spec.name, name));
    requested.kernel_rows.push_back(spec.kind == ViewKind::kernel);
    spec.kind = ViewKind::features;
    if (!is_given(spec, "samples_in") && arguments.input.samples_in == "auto")
      spec.read_options.emplace_back("samples_in",
                                     samples_in_name(model.recipes[at(m)].samples_in));
    // Rows of zeros are what they were in training; of few new samples nothing is plain.
    if (!is_given(spec, "zero_rows") && arguments.input.zero_rows == "auto")
      spec.read_options.emplace_back(
          "zero_rows",
          io::stored_zero_rows(model.about, spec.name) == "missing" ? "missing" : "values");
    requested.specs.push_back(std::move(spec));
  }
  return requested;
}

std::vector<io::NewTable> read_new_tables(const io::SavedModel& model,
                                          const PredictArguments& arguments, Terminal& terminal) {
  const RequestedViews requested = requested_views(model, arguments);
  io::ReadAllOptions reading = reading_options(arguments.input);
  // Ids name samples as they did in training. Views of new samples need not share any.
  if (reading.ids.kind == IdRule::Kind::automatic)
    reading.ids = io::stored_id_rule(model.about, arguments.model);
  reading.known_columns = io::known_columns(model);
  for (std::size_t k = 0; k < requested.specs.size(); ++k)
    if (requested.kernel_rows[k]) reading.known_columns.erase(requested.specs[k].name);
  io::ReadViews read = io::read_all_views(requested.specs, reading);
  for (const auto& notice : read.notices) terminal.warning(notice);
  if (read.views.size() != requested.specs.size())
    throw InputError("a file given as one view holds several views",
                     "name the array: --view NAME=FILE:ARRAY");
  std::vector<ViewSummary> summaries;
  for (const auto& view : read.views) {
    summaries.push_back(summary_of(view));
    for (const auto& notice : view.notices) terminal.warning(place_of(view) + ": " + notice);
  }
  terminal.result(side_lines(summaries));
  std::vector<io::NewTable> tables;
  for (std::size_t k = 0; k < read.views.size(); ++k)
    tables.push_back({std::move(read.views[k]), requested.kernel_rows[k]});
  for (auto& table : tables)
    if (table.kernel_rows)  // the columns are training samples
      table.view.feature_names =
          as_samples(std::move(table.view.feature_names), model.model.samples, reading.ids);
  return tables;
}

/// What the result says of itself: views that were not given have no table.
io::FactorRecord new_factor_record(const io::FactorModel& model,
                                   const std::vector<io::NewTable>& tables,
                                   const factor::CompletedFactors& completed, io::RunRecord run) {
  io::FactorRecord record;
  record.run = std::move(run);
  record.parameters = factor::factor_options().values(completed.options);
  record.features = completed.views;
  record.notices = completed.notices;
  for (std::size_t m = 0; m < completed.views.size(); ++m) {
    ViewSummary summary;
    summary.name = completed.views[m].name;
    summary.kind = model.views.recipes[m].kind;
    for (const auto& table : tables)
      if (table.view.name == summary.name) summary = summary_of(table.view);
    record.views.push_back(std::move(summary));
    record.kinds.push_back(view_kind_name(model.views.recipes[m].kind));
    record.columns.push_back(std::ssize(model.views.recipes[m].kept_columns));
    record.observed.push_back(completed.rows.observed.col(static_cast<Index>(m)).count());
  }
  return record;
}

/// With a model in factor form: factors of the new samples, as a result in factor form.
int predict_factors(const PredictArguments& arguments, const io::InputRecord& inputs,
                    io::OutputFolder& folder, io::RunRecord run, Terminal& terminal) {
  const Stopwatch watch;
  const io::FactorModel model = io::read_factor_model(arguments.model);
  const std::vector<io::NewTable> tables = read_new_tables(model.views, arguments, terminal);
  const factor::CompletedFactors completed = io::complete_new_samples(model, tables);
  for (const auto& notice : completed.notices) terminal.warning(notice);
  run.inputs = inputs.confirmed();
  run.seconds.emplace_back("total", watch.seconds());
  const io::FactorRecord record = new_factor_record(model, tables, completed, std::move(run));
  finish_first("writing the result");
  io::write_factors(folder, record, model.model, completed);
  terminal.result(factor_view_table(record, std::ssize(completed.samples)));
  io::write_text_file(folder.path("mkc.log"), terminal.log());
  commit(folder, terminal);
  terminal.result(fmt::format("factors of {} new samples: {}\n", completed.samples.size(),
                              printable(arguments.output)));
  if (arguments.terminal.json) print_result(folder.meta_info());
  return exit_ok;
}

void warn_of_training_samples(const Strings& given, const Strings& training, Terminal& terminal) {
  const std::unordered_set<std::string_view> known(training.begin(), training.end());
  Strings both;
  for (const auto& sample : given)
    if (known.contains(sample)) both.push_back(sample);
  if (!both.empty())
    terminal.warning(fmt::format("{} of {} new samples {} the id of a training sample: {}",
                                 both.size(), given.size(), both.size() == 1 ? "has" : "have",
                                 first_of(both)));
}

std::string overview(const io::SavedModel& model, const Prediction& prediction) {
  std::vector<std::vector<std::string>> rows = {
      {"view", "given", "predicted", "expected error", "unknown rows"}};
  for (Index m = 0; m < model.model.n_views(); ++m) {
    const Index given = prediction.observed.col(m).count(),
                predicted = prediction.observed.rows() - given;
    double error = 0;
    Index unknown = 0;
    for (Index x = 0; x < prediction.observed.rows(); ++x)
      if (!prediction.observed(x, m)) {
        error += prediction.quality.error(x, m);
        unknown += !interval_is_known(prediction.quality.high(x, m));
      }
    rows.push_back({model.model.views[at(m)].name, std::to_string(given), std::to_string(predicted),
                    predicted > 0
                        ? fmt::format("{:.1f} %", 100 * error / static_cast<double>(predicted))
                        : "-",
                    predicted > 0 ? std::to_string(unknown) : "-"});
  }
  return format_table(rows) + "unknown rows: the 90 % interval of the error reaches above 100 %\n";
}

int run_predict(const PredictArguments& arguments) {
  Terminal terminal = make_terminal(arguments.terminal);
  if (arguments.model.empty())
    throw OptionError("the model file is missing", "mkc predict MODEL --view NAME=FILE -o DIR");
  if (arguments.output.empty()) throw OptionError("the output folder is missing", "add -o DIR");
  Strings paths = input_paths(arguments.input);
  paths.insert(paths.begin(), require_file(arguments.model, model_hint));
  io::OutputFolder folder(arguments.output, "predict", arguments.force);
  refuse_to_overwrite_inputs(folder, paths);
  io::RunRecord record{command_line(), {}, thread_count(arguments.threads), false, {}};

  const Stopwatch watch;
  terminal.progress({"predicting", 0, 0, 0});
  const io::InputRecord inputs(paths);
  if (io::is_factor_model(arguments.model)) {
    if (arguments.format != "npz")
      throw OptionError(
          fmt::format("--format {}: a model in factor form gives factors as NPY files",
                      arguments.format),
          "leave it out");
    return predict_factors(arguments, inputs, folder, std::move(record), terminal);
  }
  const io::SavedModel model = io::read_model(arguments.model);
  const io::NewSamples given =
      io::match_new_samples(model, read_new_tables(model, arguments, terminal));
  for (const auto& notice : given.notices) terminal.warning(notice);
  record.inputs = inputs.confirmed();
  warn_of_training_samples(given.samples, model.model.samples, terminal);
  const Prediction prediction =
      predict(model.model, given.samples, given.views, {record.threads, 0.9});
  for (const auto& notice : prediction.notices) terminal.warning(notice);
  record.seconds.emplace_back("total", watch.seconds());
  terminal.result(overview(model, prediction));
  finish_first("writing the result");
  io::write_prediction(folder, model, given.samples, prediction, record, arguments.format == "tsv");
  io::write_text_file(folder.path("mkc.log"), terminal.log());
  commit(folder, terminal);
  terminal.result(fmt::format("{} new samples against {} training samples: {}\n",
                              given.samples.size(), model.model.n_samples(),
                              printable(arguments.output)));
  if (arguments.terminal.json) print_result(folder.meta_info());
  return exit_ok;
}

}  // namespace

Runner add_predict(CommandParser& parser) {
  auto arguments = std::make_shared<PredictArguments>();
  parser.describe(
      "Compute kernel rows of new samples against the training samples of a saved model, in every "
      "view,\nalso in views that the new samples lack. With a model in factor form: their "
      "factors.\n\n"
      "  mkc complete rna.csv protein.csv -o result --save-model model.npz\n"
      "  mkc predict model.npz --view rna=new_rna.csv -o new");
  parser.option("MODEL", arguments->model, "model file of 'mkc complete --save-model'",
                Takes::file);
  parser.repeated("--view", arguments->input.views,
                  "NAME=PATH[:ARRAY][,kind=kernel]: features of new samples, or kernel rows with "
                  "one column per training sample; give it once per view",
                  Takes::views);
  add_table_arguments(parser, arguments->input);
  parser.option("-o,--output", arguments->output,
                "output folder; must not exist, unless --force is given", Takes::folder);
  parser.choice("--format", arguments->format, {"npz", "tsv"},
                "file format of the kernel rows (npz|tsv)");
  add_threads_argument(parser, arguments->threads);
  parser.flag("-f,--force", arguments->force, "replace an earlier result");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_predict(*arguments); };
}

}  // namespace mkc::app
