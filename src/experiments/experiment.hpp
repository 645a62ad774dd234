#pragma once

#include <map>
#include <optional>

#include "experiments/toy.hpp"
#include "experiments/trial.hpp"
#include "mkc/problem/view.hpp"

/// The paper's experiments: what is in their files, their data, their cells (docs/experiments.md).
namespace mkc::io {

/// A data set of an experiment: a synthetic one, a MATLAB file with splits of its own, or views.
struct DataSource {
  struct ViewFile {
    std::string name, file, array;
    OptionValues options;
  };

  std::string name;   // column of the tables
  std::string paper;  // the column of the paper's table of errors that it stands beside, or ""
  std::string times;  // column of the table of times, which may hold several sets
  std::string note;   // what is other than in the paper, or ""

  std::string toy;
  ToyRecipe recipe = ToyRecipe::paper;
  std::string splits;           // file with K, IDtr, IDval, IDts, IDmisCv and IDmisTest
  std::vector<ViewFile> views;  // samples that every view has

  std::string sample_map;
  Strings leave_out;        // samples
  Index most_samples = 0;   // a random part of the samples; 0: all
  Protocol protocol;        // of its tuning, whole and most_tuning
  Indices views_missing;    // one level of the tables each
  bool full_only = false;   // too large for the short version
  bool short_only = false;  // stands for a larger one there
  bool coarse = false;      // the short version's values of options in the full one too
};

struct ExperimentMethod {
  TunedMethod tuned;   // with the values of the version
  TunedMethod coarse;  // with those of the short one
  bool mkc = false;    // one of the paper's own proposals
  bool first_view_complete = false;
};

struct Experiment {
  std::string name, title;
  bool full = false;               // or the short version
  Measure measure = Measure::are;  // by which options are chosen on tuning sets
  Index partitions = 5;
  std::vector<double> losing = {1};  // see Protocol
  std::uint64_t seed = 0;
  std::vector<DataSource> data;
  std::vector<ExperimentMethod> methods;
};

/// From TOML; `methods` is the text of methods.toml, from which an experiment names what it wants.
/// `path` is for messages. Throws InputError or OptionError with line and column.
Experiment parse_experiment(const std::string& text, const std::string& path,
                            const std::string& methods, bool full);

/// What the paper's tables say: column -> method -> figure per level.
using PaperTable = std::map<std::string, std::map<std::string, std::vector<double>>>;
struct PaperFigures {
  PaperTable errors;  // percent
  PaperTable minutes;
};
PaperFigures parse_paper_figures(const std::string& text, const std::string& path);

/// NaN where the paper has none.
double paper_figure(const PaperTable& table, const std::string& column, const std::string& method,
                    Index level);

/// A split from a file: one mask per level, true = hidden.
struct StoredSplit {
  Partition partition;
  std::vector<Mask> hidden;
};

struct LoadedData {
  Problem problem;  // complete
  std::vector<StoredSplit> splits;
  Strings notices;
  std::string digest;  // of kernels and splits
};

/// `folder` holds the files of the sources that are not synthetic. Throws InputError.
LoadedData load_data(const DataSource& source, const std::string& folder, std::uint64_t seed);

/// One method on one partition: a piece of work that depends on no other.
struct CellSpot {
  std::size_t data = 0, method = 0;
  Index level = 0;  // of DataSource::views_missing
  double losing = 1;
  Index partition = 1;
};

/// All cells, partition by partition. Sets for which `usable` is false have none.
std::vector<CellSpot> plan_cells(const Experiment& experiment, const std::vector<bool>& usable);

/// The method of a cell, with the values to try.
const TunedMethod& method_of(const Experiment& experiment, const CellSpot& spot);

/// The problems of a cell.
Trial trial_of(const Experiment& experiment, const CellSpot& spot, const LoadedData& data);

/// Names a cell by all that its result depends on.
std::string cell_key(const Experiment& experiment, const CellSpot& spot, const std::string& digest);

struct ExperimentCell {
  CellSpot spot;
  TrialResult result;
};

/// A finished cell as JSON, with its parameters and seed; and back, nothing where the text is no
/// such cell.
std::string cell_json(const Experiment& experiment, const ExperimentCell& cell);
std::optional<TrialResult> parse_trial(const std::string& text);

}  // namespace mkc::io
