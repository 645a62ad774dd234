#include "arguments.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "mkc/error.hpp"
#include "mkc/io/manifest.hpp"
#include "mkc/parallel.hpp"
#include "mkc/text.hpp"

namespace mkc::app {

namespace fs = std::filesystem;

namespace {

// Files beside the one that was not found, spelled as the user spelled the folder.
Strings neighbours(const fs::path& path) {
  Strings names;
  const fs::path folder = path.parent_path();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error))
    names.push_back((folder / entry.path().filename()).string());
  std::sort(names.begin(), names.end());
  return names;
}

void require_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_regular_file(status)) return;
  if (fs::exists(status))
    throw InputError(fmt::format("'{}' is not a regular file", path),
                     "inputs are read twice, for their hash and for their values: save it first");
  throw InputError(fmt::format("there is no file '{}'{}", path, suggestion(path, neighbours(path))),
                   "a view is [NAME=]PATH[:ARRAY][,option=value,...]");
}

template <class Enum>
Enum chosen(const char* option, const std::string& text, const Strings& choices) {
  return static_cast<Enum>(detail::to_choice(option, text, choices));
}

}  // namespace

void add_view_arguments(CommandParser& parser, ViewArguments& arguments) {
  parser.list("VIEW", arguments.views,
              "[NAME=]PATH[:ARRAY][,kernel=rbf,gamma=median,kind=features|kernel,...]; "
              "CSV/TSV (.gz), NPY, NPZ, MAT, MTX, HDF5, h5ad, h5mu, or a TOML manifest of views");
  parser.option("--mask", arguments.mask,
                "samples x views table of 0/1; 0 hides a sample from a view");
  parser.option("--na-features", arguments.na_features,
                "single missing cells of a feature table: error|mean|drop (drop the feature)");
  parser.option("--psd", arguments.psd,
                "kernels that are not positive semi-definite: clip|error|ignore");
  parser.option("--normalize", arguments.normalize,
                "kernels before completion: none|unit (unit diagonal)|trace; undone on output");
  parser.flag("--center", arguments.center, "centre kernels before completion; undone on output");
}

void add_talk_arguments(CommandParser& parser, TalkArguments& arguments) {
  parser.flag("-q,--quiet", arguments.quiet, "say nothing but errors");
  parser.counted_flag("-v,--verbose", arguments.verbosity, "say more; may be repeated");
  parser.flag("--no-progress", arguments.no_progress, "no progress display");
  parser.flag("--json", arguments.json, "one machine-readable summary on standard output");
}

void add_threads_argument(CommandParser& parser, int& threads) {
  parser.count("-t,--threads", threads, 0, 4096, "MKC_NUM_THREADS",
               "worker threads, 0 = all; never changes the result");
}

Terminal make_terminal(const TalkArguments& arguments) {
  Terminal terminal;
  terminal.quiet = arguments.quiet;
  terminal.verbosity = arguments.verbosity;
  terminal.progress_wanted = !arguments.no_progress;
  terminal.results_wanted = !arguments.json;
  return terminal;
}

Strings view_texts(const ViewArguments& arguments) {
  Strings texts;
  for (const auto& text : arguments.views) {
    if (!text.ends_with(".toml")) {
      texts.push_back(text);
      continue;
    }
    require_file(text);
    for (auto& view : io::read_manifest(text)) texts.push_back(std::move(view));
  }
  return texts;
}

Strings input_paths(const ViewArguments& arguments) {
  Strings paths;
  const auto add = [&](const std::string& path) {
    require_file(path);
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  };
  for (const auto& text : view_texts(arguments)) add(io::parse_view_spec(text).path);
  for (const auto& text : arguments.views)
    if (text.ends_with(".toml")) add(text);
  if (!arguments.mask.empty()) add(arguments.mask);
  return paths;
}

std::vector<io::View> load_views(const ViewArguments& arguments) {
  std::vector<io::View> views;
  for (const auto& text : view_texts(arguments))
    for (auto& view : io::read_views(io::parse_view_spec(text))) views.push_back(std::move(view));
  return views;
}

io::Assembled load(const ViewArguments& arguments) {
  io::AssembleOptions options;
  options.na_features =
      chosen<NaPolicy>("--na-features", arguments.na_features, {"error", "mean", "drop"});
  options.checks.psd = chosen<PsdPolicy>("--psd", arguments.psd, {"clip", "error", "ignore"});
  options.transform.normalize =
      chosen<Normalization>("--normalize", arguments.normalize, {"none", "unit", "trace"});
  options.transform.center = arguments.center;
  if (!arguments.mask.empty()) options.mask = io::read_mask(arguments.mask);
  std::vector<io::View> views = load_views(arguments);
  if (options.mask) io::name_mask(*options.mask, views);
  return io::assemble(std::move(views), options);
}

int thread_count(int asked) {
  return asked > 0 ? asked : available_threads();
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
                      "write for example 8G or 500M");
  return value * factor;
}

}  // namespace mkc::app
