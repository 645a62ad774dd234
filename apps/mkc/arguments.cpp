#include "arguments.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "files/labels.hpp"
#include "files/manifest.hpp"
#include "files/mask.hpp"
#include "formats/files.hpp"
#include "formats/mtx.hpp"
#include "interrupt.hpp"
#include "live_line.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/result_folder.hpp"
#include "mkc/problem/run.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc::app {

namespace fs = std::filesystem;

namespace {

// Files in the folder of a file that was not found, with the folder as the user wrote it.
Strings neighbours(const fs::path& path) {
  Strings names;
  const fs::path folder = path.parent_path();
  std::error_code error, dangling;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error))
    if (fs::exists(entry.path(), dangling))  // not a link to nothing
      names.push_back((folder / entry.path().filename()).string());
  std::sort(names.begin(), names.end());
  return names;
}

// An option that views have too, with the choices and the meaning of its table.
void add_choice(CommandParser& parser, const std::string& name, std::string& value,
                const std::vector<OptionInfo>& table) {
  for (const auto& option : table)
    if ("--" + replaced(option.name, '_', '-') == name)
      parser.choice(name, value, split(option.range, '|'),
                    fmt::format("{} ({})", option.meaning, option.range));
}

// union, intersection, or a file that lists the samples.
SampleChoice sample_choice(const std::string& text) {
  if (text == "union") return {};
  if (text == "intersection") return {SampleChoice::Kind::in_every_view, {}, ""};
  std::error_code error;
  if (!fs::exists(text, error))
    throw OptionError(fmt::format("--samples: '{}' is not union, intersection or a file{}", text,
                                  suggestion(text, {"union", "intersection"})),
                      "a file lists one sample id per line");
  return {SampleChoice::Kind::listed, io::read_sample_list(text), text};
}

void append(Strings& all, const Strings& some) { all.insert(all.end(), some.begin(), some.end()); }

bool is_sample_file(const std::string& samples) {
  return samples != "union" && samples != "intersection";
}

}  // namespace

const std::string& require_file(const std::string& path, const std::string& hint) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) throw InputError(fmt::format("'{}' is a folder", path), hint);
  if (status.type() == fs::file_type::not_found)
    throw InputError(
        fs::is_symlink(path, error)
            ? fmt::format("'{}' is a link to a file that is not there", path)
            : fmt::format("there is no file '{}'{}", path, suggestion(path, neighbours(path))),
        hint);
  io::require_file(path);
  return path;
}

void add_reading_arguments(CommandParser& parser, ViewArguments& arguments) {
  parser.repeated(
      "VIEW", arguments.views,
      "[NAME=]PATH[:ARRAY][,option=value,...]: a table of features or a kernel in CSV/TSV "
      "(.gz), XLSX, RDS, RData, NPY, NPZ, MAT, MTX, HDF5, h5ad or h5mu, or a TOML file that lists "
      "views; "
      "'mkc man' lists the options",
      Takes::views);
  parser.config(arguments.config);
  add_table_arguments(parser, arguments);
  parser.option("--mask", arguments.mask,
                "table of samples x views with 0 and 1; 0 hides the sample in that view",
                Takes::file);
}

void add_table_arguments(CommandParser& parser, ViewArguments& arguments) {
  const auto table = io::read_option_table().describe();
  add_choice(parser, "--samples-in", arguments.samples_in, table);
  parser.option(
      "--sample-map", arguments.sample_map,
      "table with the columns assay (view), primary (sample) and colname (id in the file)",
      Takes::file);
  parser.option(
      "--ids", arguments.ids,
      fmt::format("how ids name samples: as they are, up to spelling and endings, by TCGA "
                  "patient or sample, by their first N characters, or by the first group "
                  "of a pattern; auto: as they are, or an error where a rule finds many "
                  "more samples in common ({})",
                  id_rule_range));
  parser.flag("--normalize-ids", arguments.normalize_ids, "the same as --ids loose");
  parser.flag("--match-rows", arguments.match_rows,
              "tables without sample ids: row i of every file is the same sample");
  add_choice(parser, "--replicates", arguments.replicates, table);
  add_choice(parser, "--zero-rows", arguments.zero_rows, table);
  parser.option(
      "--na-values", arguments.na_values,
      "comma-separated words that also mark a missing cell, besides NA, NaN and the like");
}

void add_view_arguments(CommandParser& parser, ViewArguments& arguments) {
  add_reading_arguments(parser, arguments);
  parser.choice("--samples", arguments.samples, {"union", "intersection"},
                "samples of any view, of all views, or listed in a file (union|intersection|FILE)",
                Takes::choice_or_file);
  add_choice(parser, "--na-features", arguments.na_features, io::read_option_table().describe());
  parser.choice(
      "--psd", arguments.psd, psd_policy_names(),
      "a kernel that is not positive semi-definite: clip negative eigenvalues, refuse it, "
      "or use it as it is (clip|error|ignore)");
  add_choice(parser, "--normalize", arguments.normalize,
             kernel_transform_option_table().describe());
  parser.flag("--center", arguments.center,
              "centre kernels before completion; undone on the completed kernel");
}

void add_terminal_arguments(CommandParser& parser, TerminalArguments& arguments) {
  parser.flag("-q,--quiet", arguments.quiet, "print nothing but errors");
  parser.counted_flag("-v,--verbose", arguments.verbosity, "print more details; may be repeated");
  parser.flag("--no-progress", arguments.no_progress, "do not show progress");
  parser.flag("--json", arguments.json,
              "print one JSON summary on standard output instead of tables");
}

void add_threads_argument(CommandParser& parser, int& threads) {
  parser.count("-t,--threads", threads, 0, 4096, "MKC_NUM_THREADS",
               "worker threads, 0 = all cores; does not change the result");
}

Terminal make_terminal(const TerminalArguments& arguments) {
  Terminal terminal;
  terminal.quiet = arguments.quiet;
  set_quiet(arguments.quiet);
  terminal.verbosity = arguments.verbosity;
  terminal.progress_wanted = !arguments.no_progress;
  terminal.results_wanted = !arguments.json;
  const std::string advice = linalg::blas_advice();
  if (!advice.empty()) terminal.detail("note: " + advice);
  return terminal;
}

std::vector<io::ViewSpec> view_specs(const ViewArguments& arguments) {
  std::vector<io::ViewSpec> specs;
  for (const auto& text : arguments.views) {
    if (!text.ends_with(".toml")) {
      specs.push_back(io::parse_view_spec(text));
      continue;
    }
    require_file(text);
    // The file of --config may also hold options.
    const bool whole_run = text == arguments.config;
    for (auto& view : whole_run ? io::read_configuration(text).views : io::read_manifest(text))
      specs.push_back(std::move(view));
  }
  return specs;
}

void refuse_to_overwrite_inputs(const std::string& output, const Strings& inputs) {
  for (const auto& input : inputs) {
    std::error_code error;  // either file may not exist
    if (std::filesystem::equivalent(output, input, error))
      throw OptionError(fmt::format("output '{}' is an input of this run", output),
                        "choose another name for the output");
  }
}

void refuse_to_overwrite_inputs(const io::OutputFolder& output, const Strings& inputs) {
  if (const auto input = output.first_inside(inputs))
    throw OptionError(fmt::format("input '{}' is in the output folder '{}', which would be "
                                  "replaced",
                                  *input, output.target().string()),
                      "choose another -o, or move the input");
}

void refuse_to_overwrite_result(const std::string& output, const std::string& folder,
                                const std::string& other) {
  const auto refuse_if = [&](bool refused) {
    if (refused)
      throw OptionError(fmt::format("output '{}' is a file of the result", output),
                        "choose another file name" + (other.empty() ? "" : ", such as " + other));
  };
  std::error_code error;  // the output need not exist
  const fs::path inside =
      fs::weakly_canonical(output, error).lexically_relative(fs::weakly_canonical(folder, error));
  const auto is_result = [&](const fs::path& name) {
    return name != other && io::is_result_name(name.string());
  };
  refuse_if(!inside.empty() && *inside.begin() != ".." && is_result(inside));
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code missing;
    refuse_if(is_result(entry->path().lexically_relative(folder)) &&
              fs::equivalent(entry->path(), output, missing));
  }
}

void commit(io::OutputFolder& output, Terminal& terminal) {
  output.commit();
  for (const auto& notice : output.notices()) terminal.message(notice);
}

Strings input_paths(const ViewArguments& arguments) {
  Strings paths;
  std::unordered_set<std::string> seen;
  const auto add = [&](const std::string& path) {
    if (seen.insert(path).second) paths.push_back(require_file(path));
  };
  for (const auto& spec : view_specs(arguments)) {
    add(spec.path);
    for (const auto& ids : io::id_files_beside(spec.path)) add(ids);
  }
  for (const auto& text : arguments.views)
    if (text.ends_with(".toml")) add(text);
  for (const auto& path : {arguments.config, arguments.mask, arguments.sample_map})
    if (!path.empty()) add(path);
  if (is_sample_file(arguments.samples)) {
    sample_choice(arguments.samples);
    add(arguments.samples);
  }
  return paths;
}

io::ReadAllOptions reading_options(const ViewArguments& arguments) {
  io::ReadAllOptions reading;
  reading.read = io::read_option_table().parse({{"samples_in", arguments.samples_in},
                                                {"replicates", arguments.replicates},
                                                {"zero_rows", arguments.zero_rows},
                                                {"na_features", arguments.na_features}});
  if (!arguments.na_values.empty()) reading.na_values = split(arguments.na_values, ',');
  if (!arguments.sample_map.empty()) reading.map = io::read_sample_map(arguments.sample_map);
  reading.ids = id_rule(arguments);
  reading.match_rows = arguments.match_rows;
  return reading;
}

IdRule id_rule(const ViewArguments& arguments) {
  return parse_id_rule(arguments.normalize_ids && arguments.ids == "auto" ? "loose"
                                                                          : arguments.ids);
}

void name_samples(AssembleOptions& options, const std::vector<View>& views, const IdRule& ids) {
  const Strings samples = union_of(views, &View::all_ids);
  options.samples.list = as_samples(std::move(options.samples.list), samples, ids);
  if (!options.mask) return;
  name_mask(*options.mask, views);
  options.mask->samples = as_samples(std::move(options.mask->samples), samples, ids);
  check_unique(options.mask->samples, "the mask: sample", "a mask has one row per sample");
}

AssembleOptions assemble_options(const ViewArguments& arguments) {
  AssembleOptions options;
  options.checks.psd =
      static_cast<PsdPolicy>(detail::to_choice("--psd", arguments.psd, psd_policy_names()));
  options.transform = kernel_transform_option_table().parse(
      {{"normalize", arguments.normalize}, {"center", arguments.center ? "yes" : "no"}});
  if (!arguments.mask.empty()) options.mask = io::read_mask(arguments.mask);
  options.samples = sample_choice(arguments.samples);
  options.na_features =
      io::read_option_table().parse({{"na_features", arguments.na_features}}).na_features;
  return options;
}

Input read_input(const ViewArguments& arguments, const std::string& labels,
                 bool questions_are_errors) {
  Input input;
  AssembleOptions& options = input.options;
  options = assemble_options(arguments);
  io::ReadAllOptions reading = reading_options(arguments);
  reading.questions_are_errors = questions_are_errors;
  reading.known_samples = options.samples.list;
  if (options.mask) append(reading.known_samples, options.mask->samples);
  if (!labels.empty()) append(reading.known_samples, io::label_ids(labels));
  input.read = io::read_all_views(view_specs(arguments), reading);
  if (input.read.proposal && reading.ids.kind == IdRule::Kind::exact)
    input.read.notices.push_back(fmt::format(
        "{}; --ids {} matches them", input.read.proposal->evidence, input.read.proposal->rule));
  name_samples(options, input.read.views, reading.ids);
  return input;
}

Assembled load(const ViewArguments& arguments, const std::string& labels) {
  return assemble_input(read_input(arguments, labels));
}

Assembled assemble_input(Input input, bool keep_recipes) {
  input.options.keep_recipes = keep_recipes;
  Assembled assembled = assemble(std::move(input.read.views), input.options);
  assembled.notices.insert(assembled.notices.begin(), input.read.notices.begin(),
                           input.read.notices.end());
  return assembled;
}

std::vector<io::ViewSpec> resolved_specs(const ViewArguments& arguments,
                                         const Assembled& assembled) {
  std::vector<io::ViewSpec> specs = view_specs(arguments);
  if (specs.size() != assembled.views.size()) return specs;
  for (std::size_t m = 0; m < specs.size(); ++m) {
    const ViewSummary& view = assembled.views[m];
    specs[m].name = view.name;
    specs[m].kind = view.kind;
    specs[m].kernel_options = view.kernel_options;
    const auto is_samples_in = [](const auto& option) { return option.first == "samples_in"; };
    std::erase_if(specs[m].read_options, is_samples_in);
    specs[m].read_options.emplace_back("samples_in", samples_in_name(view.samples_in));
  }
  return specs;
}

int thread_count(int requested) { return requested > 0 ? requested : available_threads(); }

RunOptions run_options(std::uint64_t seed, int threads, Terminal& terminal) {
  RunOptions run;
  run.seed = seed;
  run.threads = threads;
  run.stop = &interrupted_flag();
  run.progress = [&terminal](const Progress& progress) {
    terminal.progress(progress);
    set_has_result(progress.has_result);
    return !interrupted();
  };
  return run;
}

double parse_bytes(const std::string& text) {
  const std::string units = "KMGT";
  std::string digits = text;
  double factor = 1;
  if (!digits.empty() && (digits.back() == 'B' || digits.back() == 'b')) digits.pop_back();
  if (!digits.empty()) {
    const auto unit = units.find(static_cast<char>(std::toupper(digits.back())));
    if (unit != std::string::npos) {
      for (std::size_t i = 0; i <= unit; ++i) factor *= 1024;
      digits.pop_back();
    }
  }
  double value = 0;
  if (!parse_number(digits, value) || !(value > 0))
    throw OptionError(fmt::format("--memory: '{}' is not an amount of memory", text),
                      "for example 8G or 500M");
  return value * factor;
}

}  // namespace mkc::app
