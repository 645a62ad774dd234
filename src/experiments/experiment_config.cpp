#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "base/text.hpp"
#include "experiments/experiment.hpp"
#include "formats/toml_reader.hpp"
#include "mkc/base/error.hpp"
#include "mkc/registry.hpp"

namespace mkc::io {

namespace {

constexpr const char* layout =
    "docs/experiments.md describes the file of an experiment; 'mkc experiment --list' names the "
    "built-in ones";
constexpr Index many = std::numeric_limits<Index>::max();

toml::table parsed(const std::string& text, const std::string& path) {
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    refuse_toml(path, error.source(), std::string(error.description()), layout);
  }
}

// One of the names of an enum, the first where the key is not there.
template <class Enum>
Enum choice(TomlReader& reader, const std::string& key, const Strings& names) {
  const std::string text = reader.text(key, names.front());
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end())
    reader.refuse_key(key, fmt::format("'{}' is not a {}: {}", text, key, join(names, " or ")));
  return static_cast<Enum>(found - names.begin());
}

// Values of the experiment that a data set may override.
void read_protocol(TomlReader& reader, Protocol& protocol) {
  protocol.tuning = reader.number("tuning", protocol.tuning, 0, 1);
  protocol.whole = reader.number("whole", protocol.whole, 0, 1);
  protocol.most_tuning = reader.count("most_tuning", protocol.most_tuning, 0, many);
}

DataSource::ViewFile view_file(TomlReader reader) {
  DataSource::ViewFile view{reader.text("name"), reader.text("file"), reader.text("array"), {}};
  if (view.file.empty()) reader.refuse("this view has no file");
  view.options = reader.rest();
  return view;
}

DataSource data_source(TomlReader reader, const Protocol& protocol, const Indices& views_missing) {
  DataSource source;
  source.protocol = protocol;
  source.views_missing = views_missing;
  source.toy = reader.text("toy");
  source.name = reader.text("name", source.toy);
  if (source.name.empty()) reader.refuse("this data set has no name");
  source.paper = reader.text("paper");
  source.times = reader.text("times", source.name);
  source.note = reader.text("note");
  source.recipe = choice<ToyRecipe>(reader, "recipe", toy_recipe_names);
  source.splits = reader.text("splits");
  for (const toml::table* view : reader.tables("view"))
    source.views.push_back(view_file({reader.path(), *view, layout}));
  source.sample_map = reader.text("sample_map");
  source.leave_out = reader.list("leave_out");
  source.most_samples = reader.count("most_samples", 0, 0, many);
  read_protocol(reader, source.protocol);
  if (reader.has("views_missing")) source.views_missing = reader.counts("views_missing", 1, 1000);
  source.full_only = reader.flag("full_only");
  source.short_only = reader.flag("short_only");
  source.coarse = reader.flag("coarse");
  reader.done();
  const auto kinds = !source.toy.empty() + !source.splits.empty() + !source.views.empty();
  if (kinds != 1)
    reader.refuse(fmt::format("'{}' needs one of toy, splits and [[data.view]]", source.name));
  if (!source.toy.empty() &&
      std::find(toy_names().begin(), toy_names().end(), source.toy) == toy_names().end())
    reader.refuse_key("toy", fmt::format("there is no synthetic set '{}'{}: {}", source.toy,
                                         suggestion(source.toy, toy_names()), join(toy_names())));
  return source;
}

void read_grid(const std::string& path, const toml::table& table, TunedMethod& method) {
  TomlReader reader(path, table, layout);
  method.grid.clear();
  for (const auto& [key, node] : table) {
    const std::string option(key.str());
    method.grid.emplace_back(option, reader.list(option));
  }
}

// A typo is reported before any work.
void check_specs(const std::string& path, const TunedMethod& method) {
  try {
    for (const auto& text : grid_specs(method)) {
      const Spec spec = parse_spec(text);
      find_method(spec.name).effective_options(spec.options);
    }
  } catch (const OptionError& error) {
    throw OptionError(fmt::format("{}, method '{}': {}", path, method.name, error.what()),
                      error.hint());
  }
}

ExperimentMethod experiment_method(TomlReader reader, bool full) {
  ExperimentMethod method;
  method.tuned.name = reader.text("name");
  if (method.tuned.name.empty()) reader.refuse("this method has no name");
  method.tuned.spec = reader.text("spec", method.tuned.name);
  method.paper = reader.text("paper", method.tuned.name);
  method.mkc = reader.flag("mkc");
  method.tuned.fitted = reader.flag("fitted");
  method.first_view_complete = reader.flag("first_view_complete");
  if (const toml::table* grid = reader.table("grid")) read_grid(reader.path(), *grid, method.tuned);
  method.coarse = method.tuned;
  if (const toml::table* grid = reader.table("short"))
    read_grid(reader.path(), *grid, method.coarse);
  reader.done();
  check_specs(reader.path(), method.tuned);
  check_specs(reader.path(), method.coarse);
  if (!full) method.tuned = method.coarse;
  return method;
}

using Methods = std::vector<ExperimentMethod>;

Methods::iterator find(Methods& methods, const std::string& name) {
  return std::find_if(methods.begin(), methods.end(),
                      [&](const ExperimentMethod& m) { return m.tuned.name == name; });
}

// Adds the methods of a file; they replace methods of the same name.
void read_methods(TomlReader& reader, bool full, Methods& methods) {
  for (const toml::table* table : reader.tables("method")) {
    ExperimentMethod method = experiment_method({reader.path(), *table, layout}, full);
    const auto same = find(methods, method.tuned.name);
    if (same == methods.end())
      methods.push_back(std::move(method));
    else
      *same = std::move(method);
  }
}

// Values that the short version may override.
void read_extent(TomlReader& reader, Methods& known, Experiment& experiment) {
  experiment.partitions = reader.count("partitions", experiment.partitions, 1, 1000);
  if (reader.has("losing")) experiment.losing = reader.numbers("losing", 0.01, 1);
  if (reader.has("views_missing"))
    experiment.views_missing = reader.counts("views_missing", 1, 1000);
  const Strings names = reader.list("methods");
  if (!names.empty()) experiment.methods.clear();
  for (const auto& name : names) {
    const auto method = find(known, name);
    if (method == known.end()) {
      Strings all;
      for (const auto& m : known) all.push_back(m.tuned.name);
      reader.refuse_key("methods", fmt::format("there is no method '{}'{}; the methods are {}",
                                               name, suggestion(name, all), join(all)));
    }
    experiment.methods.push_back(*method);
  }
}

// [short] is read in both versions, so that mistakes in it are found.
void read_extents(TomlReader& reader, Methods& known, Experiment& experiment) {
  experiment.methods = known;
  read_extent(reader, known, experiment);
  const toml::table* table = reader.table("short");
  if (table == nullptr) return;
  TomlReader short_reader(reader.path(), *table, layout);
  Experiment coarse = experiment;
  read_extent(short_reader, known, coarse);
  short_reader.done();
  if (!experiment.full) experiment = std::move(coarse);
}

}  // namespace

Experiment parse_experiment(const std::string& text, const std::string& path,
                            const std::string& methods, bool full) {
  const toml::table shared = parsed(methods, "methods.toml"), file = parsed(text, path);
  TomlReader shared_reader("methods.toml", shared, layout), reader(path, file, layout);
  Methods known;
  read_methods(shared_reader, full, known);
  shared_reader.done();
  read_methods(reader, full, known);

  Experiment experiment;
  experiment.full = full;
  read_extents(reader, known, experiment);
  experiment.name = std::filesystem::path(path).stem().string();
  experiment.title = reader.text("title", experiment.name);
  experiment.measure = choice<Measure>(reader, "measure", measure_names);
  experiment.seed = static_cast<std::uint64_t>(reader.count("seed", 0, 0, many));
  Protocol protocol;
  read_protocol(reader, protocol);
  for (const toml::table* table : reader.tables("data")) {
    DataSource source = data_source({path, *table, layout}, protocol, experiment.views_missing);
    if (!(full ? source.short_only : source.full_only))
      experiment.data.push_back(std::move(source));
  }
  reader.done();
  if (!reader.has("data")) reader.refuse("there is no [[data]]");
  return experiment;
}

PaperFigures parse_paper_figures(const std::string& text, const std::string& path) {
  const toml::table file = parsed(text, path);
  TomlReader reader(path, file, layout);
  PaperFigures figures;
  const auto read = [&](const char* name, PaperTable& columns) {
    const toml::table* table = reader.table(name);
    if (table == nullptr) return;
    for (const auto& [column, node] : *table) {
      const toml::table* methods = node.as_table();
      if (methods == nullptr) refuse_toml(path, node.source(), "a column is a table", layout);
      TomlReader column_reader(path, *methods, layout);
      for (const auto& [method, values] : *methods)
        columns[std::string(column.str())][std::string(method.str())] =
            column_reader.numbers(std::string(method.str()), 0, 1e9);
    }
  };
  read("errors", figures.errors);
  read("minutes", figures.minutes);
  reader.done();
  return figures;
}

double paper_figure(const PaperTable& table, const std::string& column, const std::string& method,
                    Index level) {
  const auto found = table.find(column);
  if (found == table.end() || !found->second.contains(method))
    return std::numeric_limits<double>::quiet_NaN();
  const auto& values = found->second.at(method);
  return at(level) < values.size() ? values[at(level)] : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace mkc::io
