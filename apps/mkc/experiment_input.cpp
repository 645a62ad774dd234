#include "experiment_input.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "experiment_texts.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc::app {

Strings experiment_names() {
  Strings names;
  for (const auto& [name, text] : experiment_texts())
    if (name != "methods" && name != "paper") names.push_back(name);  // no experiments
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
  return io::parse_experiment(io::read_whole_file(name), name, methods, full);
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
  const std::vector<bool> flags = usable(loaded);
  if (std::find(flags.begin(), flags.end(), true) == flags.end())
    throw InputError(fmt::format("experiment '{}' has no data: {}", run.experiment.name, reason));
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
