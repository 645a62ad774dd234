#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "cell_runner.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "experiment_input.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"
#include "experiments/experiment_tables.hpp"
#include "numeric/linalg/blas.hpp"
#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "mkc/version.hpp"
#include "process_pool.hpp"

namespace mkc::app {

namespace {

struct ExperimentArguments {
  TerminalArguments terminal;
  std::string name, output, data, recipe;
  Strings methods;
  std::string seed;
  int threads = 0;
  bool list = false, full = false, force = false, dry_run = false;
};

// What the command line says otherwise than the file.
void apply_arguments(const ExperimentArguments& arguments, io::Experiment& experiment) {
  if (!arguments.seed.empty())
    experiment.seed = static_cast<std::uint64_t>(
        detail::to_count("--seed", arguments.seed, 0, std::numeric_limits<Index>::max()));
  for (auto& source : experiment.data)
    if (!arguments.recipe.empty() && !source.toy.empty())
      source.recipe = arguments.recipe == "paper" ? ToyRecipe::paper : ToyRecipe::released;
  if (arguments.methods.empty()) return;
  Strings known;
  for (const auto& method : experiment.methods) known.push_back(method.tuned.name);
  for (const auto& name : arguments.methods)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw OptionError(
          fmt::format("the experiment has no method '{}'{}", name, suggestion(name, known)),
          fmt::format("its methods are {}", join(known)));
  std::erase_if(experiment.methods, [&](const io::ExperimentMethod& method) {
    return std::find(arguments.methods.begin(), arguments.methods.end(), method.tuned.name) ==
           arguments.methods.end();
  });
}

std::string data_folder(const ExperimentArguments& arguments) {
  if (!arguments.data.empty()) return arguments.data;
  const char* variable = std::getenv("MKC_DATA");
  return variable == nullptr ? "" : variable;
}

std::string output_folder(const ExperimentArguments& arguments, const io::Experiment& experiment) {
  if (!arguments.output.empty()) return arguments.output;
  std::string name = "mkc_experiments/" + experiment.name;
  if (!arguments.recipe.empty()) name += "-" + arguments.recipe;
  return experiment.full ? name + "-full" : name;
}

io::ExperimentCell lost_cell(const io::CellSpot& spot, const std::string& failure) {
  io::ExperimentCell cell{spot, {}};
  cell.result.test.status = "failed";
  cell.result.test.failure = failure;
  cell.result.test.seconds = cell.result.test.peak_mib = std::numeric_limits<double>::quiet_NaN();
  return cell;
}

// In a process of its own: one cell, from its problems to its text.
std::string run_to_text(const io::Experiment& experiment, const io::CellSpot& spot,
                        const io::LoadedData& data, int threads) {
  RunOptions run;
  run.seed = experiment.seed;
  run.threads = threads;
  run.progress = [](const Progress&) { return !interrupted(); };
  io::ExperimentCell cell{spot, {}};
  try {
    const Trial trial = io::trial_of(experiment, spot, data);
    cell.result =
        run_trial(trial, io::method_of(experiment, spot), experiment.measure, run, peak_memory_mib);
  } catch (const InputError& error) {  // the protocol does not fit the data
    cell = lost_cell(spot, error.what());
  }
  return cell.result.test.interrupted ? "" : io::cell_json(experiment, cell);
}

void run_cells(io::ExperimentRun& run, const LoadedSets& loaded, const io::CellStore& store,
               int threads, Terminal& terminal) {
  const auto spots = io::plan_cells(run.experiment, usable(loaded));
  run.planned = static_cast<Index>(spots.size());
  Strings keys;
  for (const auto& spot : spots)
    keys.push_back(io::cell_key(run.experiment, spot, loaded[spot.data]->digest));
  const CellRunner runner{
      run.experiment.name, threads, store, [&](std::size_t c, int threads_each) {
        return run_to_text(run.experiment, spots[c], *loaded[spots[c].data], threads_each);
      }};
  const auto outcomes = runner.run(keys, terminal);
  for (std::size_t c = 0; c < spots.size(); ++c) {
    if (auto result = io::parse_trial(outcomes[c].text))
      run.cells.push_back({spots[c], std::move(*result)});
    else if (!outcomes[c].failure.empty())
      run.cells.push_back(lost_cell(spots[c], outcomes[c].failure));
  }
}

void tell_failures(const io::ExperimentRun& run, Terminal& terminal) {
  for (const auto& s : io::summarize(run))
    if (s.failed > 0)
      terminal.warning(fmt::format(
          "{} on {}: {} of {} cells failed: {}", run.experiment.methods[s.method].tuned.name,
          run.experiment.data[s.data].name, s.failed, s.cells, s.errors.failure));
}

std::string info_json(const io::ExperimentRun& run, const std::string& folder, int threads,
                      double seconds) {
  nlohmann::ordered_json data = nlohmann::ordered_json::array();
  for (std::size_t d = 0; d < run.experiment.data.size(); ++d)
    data.push_back({{"name", run.experiment.data[d].name}, {"left_out", run.missing[d]}});
  const bool whole = static_cast<Index>(run.cells.size()) == run.planned;
  const nlohmann::ordered_json meta = {{"mkc_version", version},
                                       {"command", "experiment"},
                                       {"command_line", command_line()},
                                       {"experiment", run.experiment.name},
                                       {"version", run.experiment.full ? "full" : "short"},
                                       {"status", whole ? "finished" : "interrupted"},
                                       {"cells", run.cells.size()},
                                       {"cells_planned", run.planned},
                                       {"seed", run.experiment.seed},
                                       {"partitions", run.experiment.partitions},
                                       {"data", data},
                                       {"output", folder},
                                       {"threads", threads},
                                       {"blas", linalg::blas_name()},
                                       {"seconds", seconds}};
  return meta.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// The command without what does not change the figures: where they go and how it is talked.
std::string shown_command(const ExperimentArguments& arguments) {
  std::string text = "mkc experiment " + arguments.name;
  if (arguments.full) text += " --full";
  if (!arguments.recipe.empty()) text += " --recipe " + arguments.recipe;
  if (!arguments.seed.empty()) text += " --seed " + arguments.seed;
  for (const auto& method : arguments.methods) text += " -m " + method;
  return text;
}

void write_tables(io::OutputFolder& folder, const io::ExperimentRun& run,
                  const std::string& command) {
  Strings images;
  const auto write = [&](const std::string& name, const std::string& text) {
    if (text.empty()) return;
    io::write_text_file(folder.path(name), text);
    if (name.ends_with(".svg")) images.push_back(name);
  };
  write("errors.tsv", io::error_tsv(run));
  write("times.tsv", io::time_tsv(run));
  write("ratios.tsv", io::ratio_tsv(run));
  write("cells.tsv", io::cell_tsv(run));
  write("spectra.tsv", io::spectrum_tsv(run));
  write("spectra.svg", io::spectrum_svg(run));
  write("proportion.svg", io::losing_svg(run));
  write("results.md", io::experiment_markdown(run, command, images));
}

// Squared errors: methods down, data sets and levels across.
std::string result_text(const io::ExperimentRun& run) {
  const io::Experiment& experiment = run.experiment;
  std::vector<std::vector<std::string>> rows = {{"are_squared %"}};
  for (const auto& method : experiment.methods) rows.push_back({method.tuned.name});
  for (const auto& s : io::summarize(run)) {
    const auto& source = experiment.data[s.data];
    std::string head = fmt::format("{}:{}", source.name, source.views_missing[at(s.level)]);
    if (experiment.losing.size() > 1) head += fmt::format("/{}", s.losing);
    if (rows[0].back() != head) {
      for (auto& row : rows) row.emplace_back("-");
      rows[0].back() = head;
    }
    if (s.failed < s.cells)
      rows[s.method + 1].back() = fmt::format("{:.3g}", s.errors.are_squared.mean);
  }
  return format_table(rows);
}

int run_experiment(const ExperimentArguments& arguments) {
  if (arguments.list) {
    print_result(list_text());
    return exit_ok;
  }
  if (arguments.name.empty())
    throw OptionError("which experiment?",
                      fmt::format("the experiments are {}", join(experiment_names())));
  Terminal terminal = make_terminal(arguments.terminal);
  io::ExperimentRun run;
  run.experiment = read_experiment(arguments.name, arguments.full);
  run.paper = read_paper_figures();
  apply_arguments(arguments, run.experiment);
  const std::string output = output_folder(arguments, run.experiment);
  const int threads = thread_count(arguments.threads);
  const Stopwatch watch;
  if (arguments.dry_run) {
    const LoadedSets loaded = load_all(run, data_folder(arguments), terminal);
    terminal.message(fmt::format("dry run: {} cells would be run; nothing was written",
                                 io::plan_cells(run.experiment, usable(loaded)).size()));
    return exit_ok;
  }
  io::OutputFolder folder(output, arguments.force || io::is_result_of("experiment", output));
  if (!arguments.force) folder.keep_others(io::is_name_of_run);
  const io::CellStore store(folder.target(), arguments.force, [](const std::string& text) {
    return io::parse_trial(text).has_value();
  });
  const LoadedSets loaded = load_all(run, data_folder(arguments), terminal);
  run_cells(run, loaded, store, threads, terminal);
  if (run.cells.empty()) {
    terminal.message("interrupted before anything was finished; nothing was written");
    return exit_interrupted;
  }
  terminal.result(result_text(run));
  tell_failures(run, terminal);
  const bool whole = static_cast<Index>(run.cells.size()) == run.planned;
  terminal.message(
      whole ? fmt::format("tables and figures in {}", output)
            : fmt::format("interrupted: {} of {} cells are in {}; the same command goes on from "
                          "there",
                          run.cells.size(), run.planned, output));
  add_spectra(loaded, run);
  write_tables(folder, run, shown_command(arguments));
  const std::string info = info_json(run, output, threads, watch.seconds());
  io::write_text_file(folder.path("meta_info.json"), info);
  store.move_into(folder);
  io::write_text_file(folder.path("mkc.log"), terminal.log());
  folder.commit();
  store.clear();
  if (arguments.terminal.json) print_result(info);
  return whole ? exit_ok : exit_interrupted;
}

}  // namespace

Runner add_experiment(CommandParser& parser) {
  auto arguments = std::make_shared<ExperimentArguments>();
  parser.describe(
      "Redo an experiment of the paper: the short version takes minutes.\n\n"
      "  mkc experiment --list\n"
      "  mkc experiment toy              the synthetic columns of the paper's Table 1\n"
      "  mkc experiment toy --full --recipe released\n"
      "  mkc experiment mine.toml -o result");
  parser.choice("NAME", arguments->name, experiment_names(),
                "an experiment of --list, or FILE.toml", Takes::choice_or_file);
  parser.flag("--list", arguments->list, "the experiments there are");
  parser.flag("--full", arguments->full, "everything: all values of options, large data sets");
  parser.choice(
      "--recipe", arguments->recipe, {"paper", "released"},
      "how synthetic data are made: paper (as its text says)|released (as its files are)");
  parser.option("-o,--output", arguments->output,
                "output folder, mkc_experiments/NAME where none is given; an earlier run there is "
                "continued",
                Takes::folder);
  parser.option("--data", arguments->data,
                "folder of the data sets (environment: MKC_DATA); those that are not there are "
                "left out",
                Takes::folder);
  parser.repeated("-m,--method", arguments->methods, "only this method; may be repeated",
                  Takes::method);
  parser.option("--seed", arguments->seed, "decides every random draw; 0 where none is given");
  add_threads_argument(parser, arguments->threads);
  parser.flag("-f,--force", arguments->force, "run everything again, replace an earlier result");
  parser.flag("-n,--dry-run", arguments->dry_run, "read and check everything, write nothing");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_experiment(*arguments); };
}

}  // namespace mkc::app
