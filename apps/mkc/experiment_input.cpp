#include "experiment_input.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "experiment_texts.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/eigh.hpp"
#include "base/text.hpp"

namespace mkc::app {

namespace {

// Files of experiments/ that are no experiments.
const Strings not_experiments = {"methods", "paper"};

}  // namespace

Strings experiment_names() {
  Strings names;
  for (const auto& [name, text] : experiment_texts())
    if (std::find(not_experiments.begin(), not_experiments.end(), name) == not_experiments.end())
      names.push_back(name);
  return names;
}

io::Experiment read_experiment(const std::string& name, bool full) {
  const std::string& methods = experiment_texts().at("methods");
  const Strings names = experiment_names();
  if (std::find(names.begin(), names.end(), name) != names.end())
    return io::parse_experiment(experiment_texts().at(name), name + ".toml", methods, full);
  if (!name.ends_with(".toml"))
    throw OptionError(
        fmt::format("there is no experiment '{}'{}", name, suggestion(name, names)),
        fmt::format("the experiments are {}; a file of your own ends in .toml", join(names)));
  std::ifstream stream(name, std::ios::binary);
  if (!stream)
    throw InputError(fmt::format("{}: cannot be read", name),
                     "'mkc experiment --list' names the experiments that need no file");
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  return io::parse_experiment(text, name, methods, full);
}

std::string list_text() {
  std::string text;
  for (const auto& name : experiment_names())
    text += fmt::format("{:<12}{}\n", name, read_experiment(name, true).title);
  return text;
}

io::PaperFigures read_paper_figures() {
  return io::parse_paper_figures(experiment_texts().at("paper"), "paper.toml");
}

std::vector<bool> usable(const LoadedSets& loaded) {
  std::vector<bool> flags;
  for (const auto& data : loaded) flags.push_back(data.has_value());
  return flags;
}

LoadedSets load_all(io::ExperimentRun& run, const std::string& folder, Terminal& terminal) {
  LoadedSets loaded;
  std::string reason = "all of its data sets are for --full";
  for (const auto& source : run.experiment.data) {
    terminal.progress({"reading " + source.name, 0, 0, 0});
    loaded.emplace_back();
    run.missing.emplace_back();
    try {
      loaded.back() = io::load_data(source, folder, run.experiment.seed);
    } catch (const OptionError&) {
      throw;
    } catch (const InputError& error) {
      run.missing.back() = reason = error.what();
      if (!error.hint().empty()) reason += " (" + hint_text(error.hint()) + ")";
      terminal.warning(fmt::format("{} is left out: {}", source.name, reason));
    }
  }
  const bool any =
      std::any_of(loaded.begin(), loaded.end(), [](const auto& data) { return data.has_value(); });
  if (!any)
    throw InputError(
        fmt::format("experiment '{}': there are no data: {}", run.experiment.name, reason));
  return loaded;
}

void add_spectra(const LoadedSets& loaded, io::ExperimentRun& run) {
  for (std::size_t d = 0; d < loaded.size(); ++d) {
    if (!loaded[d]) continue;
    for (const auto& view : loaded[d]->problem.views()) {
      const Vector values = linalg::eigenvalues(view.block).reverse();
      run.spectra.push_back({d, view.name, values / view.block.trace()});
    }
  }
}

}  // namespace mkc::app
