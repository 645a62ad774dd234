#pragma once

#include <map>
#include <optional>

#include "experiments/toy.hpp"
#include "experiments/tuning.hpp"
#include "mkc/problem/view.hpp"

/// The paper's experiments: their files, data and trials (docs/experiments.md).
namespace mkc::io {

/// A data set of an experiment: a synthetic one, a MATLAB file with splits of its own, or views.
struct DataSource {
  struct ViewFile {
    std::string name, file, array;
    OptionValues options;
  };

  std::string name;   // column of the tables
  std::string paper;  // column of the paper's table of errors to compare with, or ""
  std::string times;  // column of the table of times; several sets may share one
  std::string note;   // differences from the paper, or ""

  std::string toy;
  ToyRecipe recipe = ToyRecipe::paper;
  std::string splits;           // file with K, IDtr, IDval, IDts, IDmisCv and IDmisTest
  std::vector<ViewFile> views;  // only samples that every view has are used

  std::string sample_map;
  Strings leave_out;        // samples
  Index most_samples = 0;   // size of a random subset; 0: all
  Protocol protocol;        // only tuning, whole and most_tuning
  Indices views_missing;    // one entry per level of the tables
  bool full_only = false;   // too large for the short version
  bool short_only = false;  // replaces a larger one there
  bool coarse = false;      // the full version tries the short version's values too
};

struct ExperimentMethod {
  TunedMethod tuned;   // with the values of the version
  TunedMethod coarse;  // with the values of the short version
  std::string paper;   // row of the paper's tables
  bool mkc = false;    // one of the paper's own proposals
  bool first_view_complete = false;
};

inline const Strings measure_names = {"are", "are_squared"};  // in the order of Measure

struct Experiment {
  std::string name, title;
  bool full = false;               // or the short version
  Measure measure = Measure::are;  // by which options are chosen on tuning sets
  Index partitions = 5;
  std::vector<double> losing = {1};   // see Protocol
  Indices views_missing = {1, 2, 3};  // of data sets without values of their own
  std::uint64_t seed = 0;
  std::vector<DataSource> data;
  std::vector<ExperimentMethod> methods;
};

/// From TOML; `methods` is the text of methods.toml, whose methods an experiment may name.
/// `path` is for messages. Throws InputError or OptionError with line and column.
Experiment parse_experiment(const std::string& text, const std::string& path,
                            const std::string& methods, bool full);

/// The paper's tables: column -> method -> number per level.
using PaperTable = std::map<std::string, std::map<std::string, std::vector<double>>>;
struct PaperFigures {
  PaperTable errors;  // percent
  PaperTable minutes;
};
PaperFigures parse_paper_figures(const std::string& text, const std::string& path);

/// NaN where the paper has no number.
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
  std::string digest;  // of kernels and splits
};

/// `folder` holds the files of the sources that are not synthetic. Throws InputError.
LoadedData load_data(const DataSource& source, const std::string& folder, std::uint64_t seed);

/// One method on one partition. It depends on no other trial.
struct ExperimentTrial {
  std::size_t data = 0, method = 0;
  Index level = 0;  // of DataSource::views_missing
  double losing = 1;
  Index partition = 1;
  TunedResult result = {};  // once it is finished
};

/// All trials, partition by partition. Data sets for which `usable` is false have none.
std::vector<ExperimentTrial> plan_experiment(const Experiment& experiment,
                                             const std::vector<bool>& usable);

/// The method of a trial, with the values to try.
const TunedMethod& method_of(const Experiment& experiment, const ExperimentTrial& trial);

/// The split of a trial.
Split split_of(const Experiment& experiment, const ExperimentTrial& trial, const LoadedData& data);

/// Hash of everything the result depends on.
std::string experiment_trial_key(const Experiment& experiment, const ExperimentTrial& trial,
                                 const std::string& digest);

/// A finished trial as JSON, with its parameters and seed; and its result back, nothing where the
/// text is not such a trial.
std::string experiment_trial_json(const Experiment& experiment, const ExperimentTrial& trial);
std::optional<TunedResult> parse_tuned_result(const std::string& text);

}  // namespace mkc::io
