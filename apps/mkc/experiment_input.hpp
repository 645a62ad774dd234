#pragma once

#include <optional>

#include "experiments/experiment_tables.hpp"
#include "terminal.hpp"

namespace mkc::app {

/// The built-in experiments.
Strings experiment_names();

/// A built-in experiment, or the file of a user. Throws OptionError or InputError.
io::Experiment read_experiment(const std::string& name, bool full);

/// Names and titles, one line each.
std::string list_text();

io::PaperFigures read_paper_figures();
/// The data sets of an experiment, empty where files are missing.
using LoadedSets = std::vector<std::optional<io::LoadedData>>;
std::vector<bool> usable(const LoadedSets& loaded);

/// A set that cannot be read is left out with a warning, and the reason is in run.missing.
/// InputError if there is none at all.
LoadedSets load_all(io::ExperimentRun& run, const std::string& folder, Terminal& terminal);

/// Adds the eigenvalues of all kernels to the run.
void add_spectra(const LoadedSets& loaded, io::ExperimentRun& run);

}  // namespace mkc::app
