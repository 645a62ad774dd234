#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "base/stopwatch.hpp"
#include "base/text.hpp"
#include "command.hpp"
#include "exit_codes.hpp"
#include "experiment_input.hpp"
#include "experiments/experiment_tables.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"
#include "mkc/version.hpp"
#include "numeric/linalg/blas.hpp"
#include "process_pool.hpp"
#include "trial_runner.hpp"

namespace mkc::app {

namespace {

struct ExperimentArguments {
  TerminalArguments terminal;
  std::string name, output, data, recipe;
  Strings methods;
  std::string seed, shard;
  int threads = 0;
  bool list = false, full = false, force = false, dry_run = false;
};

// Options of the command line override the file.
void apply_arguments(const ExperimentArguments& arguments, io::Experiment& experiment) {
  if (!arguments.seed.empty())
    experiment.seed = static_cast<std::uint64_t>(
        detail::to_count("--seed", arguments.seed, 0, std::numeric_limits<Index>::max()));
  for (auto& source : experiment.data)
    if (!arguments.recipe.empty() && !source.toy.empty())
      source.recipe =
          static_cast<ToyRecipe>(detail::to_choice("--recipe", arguments.recipe, toy_recipe_names));
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

// In a process of its own.
std::string text_of_trial(const io::Experiment& experiment, io::ExperimentTrial trial,
                          const io::LoadedData& data, int threads) {
  RunOptions run;
  run.seed = experiment.seed;
  run.threads = threads;
  run.progress = [](const Progress&) { return !interrupted(); };
  try {
    trial.result =
        run_tuned(data.problem, io::split_of(experiment, trial, data),
                  io::method_of(experiment, trial), experiment.measure, run, peak_memory_mib);
  } catch (const InputError& error) {  // the protocol does not fit the data
    trial.result.test = lost_result(error.what());
  }
  return trial.result.test.interrupted ? "" : io::experiment_trial_json(experiment, trial);
}

// Fills run.trials with the finished ones, in the order of the plan.
void run_trials(io::ExperimentRun& run, const LoadedSets& loaded, const io::TrialStore& store,
                const io::Shard& shard, int threads, Terminal& terminal) {
  const auto trials = io::plan_experiment(run.experiment, usable(loaded));
  run.planned = static_cast<Index>(trials.size());
  Strings keys;
  for (const auto& trial : trials)
    keys.push_back(io::experiment_trial_key(run.experiment, trial, loaded[trial.data]->digest));
  TrialRunner runner{run.experiment.name, threads, store, {}, {}, {}, shard};
  runner.work = [&](std::size_t t, int threads_each) {
    return text_of_trial(run.experiment, trials[t], *loaded[trials[t].data], threads_each);
  };
  runner.finished = [&](std::size_t t, const std::string& text) {
    run.trials.push_back(trials[t]);
    run.trials.back().result = io::parse_tuned_result(text).value_or(TunedResult());
  };
  runner.failed = [&](std::size_t t, const std::string& failure) {
    run.trials.push_back(trials[t]);
    run.trials.back().result.test = lost_result(failure);
  };
  runner.run(keys, terminal);
}

void report_failures(const io::ExperimentRun& run, Terminal& terminal) {
  for (const auto& s : io::summarize(run))
    if (s.failed > 0)
      terminal.warning(fmt::format(
          "{} on {}: {} of {} trials failed: {}", run.experiment.methods[s.method].tuned.name,
          run.experiment.data[s.data].name, s.failed, s.trials, s.errors.failure));
}

std::string info_json(const io::ExperimentRun& run, const std::string& folder, int threads,
                      double seconds) {
  nlohmann::ordered_json data = nlohmann::ordered_json::array();
  for (std::size_t d = 0; d < run.experiment.data.size(); ++d)
    data.push_back({{"name", run.experiment.data[d].name}, {"left_out", run.missing[d]}});
  const bool whole = static_cast<Index>(run.trials.size()) == run.planned;
  const nlohmann::ordered_json meta = {{"mkc_version", version},
                                       {"command", "experiment"},
                                       {"command_line", command_line()},
                                       {"experiment", run.experiment.name},
                                       {"version", run.experiment.full ? "full" : "short"},
                                       {"status", whole ? "finished" : "interrupted"},
                                       {"cells", run.trials.size()},
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

// The command without options that do not change the numbers, such as -o and -q.
std::string shown_command(const ExperimentArguments& arguments) {
  std::string text = "mkc experiment " + arguments.name;
  if (arguments.full) text += " --full";
  if (!arguments.recipe.empty()) text += " --recipe " + arguments.recipe;
  if (!arguments.seed.empty()) text += " --seed " + arguments.seed;
  for (const auto& method : arguments.methods)
    text += method.find(' ') == std::string::npos ? " -m " + method : " -m \"" + method + "\"";
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
  write("cells.tsv", io::trial_tsv(run));
  write("spectra.tsv", io::spectrum_tsv(run));
  write("spectra.svg", io::spectrum_svg(run));
  write("proportion.svg", io::losing_svg(run));
  write("results.md", io::experiment_markdown(run, command, images));
}

// Squared errors: methods in rows, data sets and levels in columns.
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
    if (s.failed < s.trials)
      rows[s.method + 1].back() = fmt::format("{:.3g}", s.errors.are_squared.mean);
  }
  return format_table(rows);
}

io::ExperimentRun make_run(const ExperimentArguments& arguments) {
  if (arguments.name.empty())
    throw OptionError("the name of the experiment is missing",
                      fmt::format("the experiments are {}", join(experiment_names())));
  io::ExperimentRun run;
  run.experiment = read_experiment(arguments.name, arguments.full);
  run.paper = read_paper_figures();
  apply_arguments(arguments, run.experiment);
  return run;
}

// The file of the experiment and those of its data sets.
Strings input_files(const ExperimentArguments& arguments, const io::Experiment& experiment) {
  Strings files;
  if (arguments.name.ends_with(".toml")) files.push_back(arguments.name);
  const auto add = [&, folder =
                           std::filesystem::path(data_folder(arguments))](const std::string& file) {
    if (!file.empty()) files.push_back((folder / file).string());
  };
  for (const auto& source : experiment.data) {
    add(source.splits);
    add(source.sample_map);
    for (const auto& view : source.views) add(view.file);
  }
  return files;
}

int run_and_write(const ExperimentArguments& arguments, io::ExperimentRun& run,
                  Terminal& terminal) {
  const Stopwatch watch;
  const int threads = thread_count(arguments.threads);
  const io::Shard shard = shard_of_trials(arguments.shard, arguments.force);
  const std::string path = output_folder(arguments, run.experiment);
  TrialOutput result(path, "experiment", arguments.force, [](const std::string& text) {
    return io::parse_tuned_result(text).has_value();
  });
  refuse_to_overwrite_inputs(result.folder, input_files(arguments, run.experiment));
  const LoadedSets loaded = load_all(run, data_folder(arguments), terminal);
  finish_first("writing the finished trials");
  run_trials(run, loaded, result.store, shard, threads, terminal);
  if (!arguments.shard.empty())
    return end_of_shard(shard, run.trials.size(), run.planned, terminal);
  if (run.trials.empty()) return end_without_result(terminal);
  terminal.result(result_text(run));
  report_failures(run, terminal);
  const int code =
      result.describe_end("tables and figures", run.trials.size(), run.planned, terminal);
  add_spectra(loaded, run);
  write_tables(result.folder, run, shown_command(arguments));
  io::write_text_file(result.folder.path("meta_info.json"),
                      info_json(run, result.place, threads, watch.seconds()));
  result.commit(terminal);
  if (arguments.terminal.json) print_result(result.folder.meta_info());
  return code;
}

int run_experiment(const ExperimentArguments& arguments) {
  if (arguments.list) {
    print_result(list_text());
    return exit_ok;
  }
  Terminal terminal = make_terminal(arguments.terminal);
  io::ExperimentRun run = make_run(arguments);
  if (!arguments.dry_run) return run_and_write(arguments, run, terminal);
  const LoadedSets loaded = load_all(run, data_folder(arguments), terminal);
  return end_dry_run(io::plan_experiment(run.experiment, usable(loaded)).size(), terminal);
}

}  // namespace

Runner add_experiment(CommandParser& parser) {
  auto arguments = std::make_shared<ExperimentArguments>();
  parser.describe(
      "Repeat an experiment of the paper. The short version takes minutes.\n\n"
      "  mkc experiment --list\n"
      "  mkc experiment toy              the synthetic columns of the paper's Table 1\n"
      "  mkc experiment toy --full --recipe released\n"
      "  mkc experiment mine.toml -o result");
  parser.choice("NAME", arguments->name, experiment_names(),
                "an experiment of --list, or FILE.toml", Takes::choice_or_file);
  parser.flag("--list", arguments->list, "list the experiments");
  parser.flag("--full", arguments->full,
              "try all values of options, and use the large data sets too");
  parser.choice("--recipe", arguments->recipe, toy_recipe_names,
                "how synthetic data are made: paper (as in its text)|released (as in its files)");
  parser.option("-o,--output", arguments->output,
                "output folder, default: mkc_experiments/NAME; an earlier run there is continued",
                Takes::folder);
  parser.option("--data", arguments->data,
                "folder of the data sets (environment: MKC_DATA); missing ones are left out",
                Takes::folder);
  parser.repeated("-m,--method", arguments->methods, "only this method; may be repeated",
                  Takes::method);
  parser.option("--seed", arguments->seed, "decides every random draw; default: 0");
  add_threads_argument(parser, arguments->threads);
  parser.option(
      "--shard", arguments->shard,
      "run only this part of the trials, for example 3/7, beside other processes with the "
      "same output; without it, the result is written");
  parser.flag("-f,--force", arguments->force, "run everything again, replace an earlier result");
  parser.flag("-n,--dry-run", arguments->dry_run, "read and check everything, write nothing");
  add_terminal_arguments(parser, arguments->terminal);
  return [arguments] { return run_experiment(*arguments); };
}

}  // namespace mkc::app
