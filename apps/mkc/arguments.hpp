#pragma once

#include <cstdint>
#include <string>

#include "mkc/files/output_folder.hpp"
#include "mkc/files/read_all.hpp"
#include "mkc/problem/assemble.hpp"
#include "parser.hpp"
#include "terminal.hpp"

namespace mkc::app {

/// Arguments that several commands share.
struct ViewArguments {
  Strings views;
  std::string config;
  std::string mask;
  std::string samples = "union";
  std::string sample_map;
  std::string samples_in = "auto";
  std::string ids = "auto";
  bool normalize_ids = false;  // the earlier name of --ids loose
  bool match_rows = false;
  std::string replicates = "error";
  std::string zero_rows = "auto";
  std::string na_features = "error";
  std::string na_values;
  std::string psd = "error";
  std::string normalize = "none";
  bool center = false;
};

struct TerminalArguments {
  bool quiet = false;
  int verbosity = 0;
  bool no_progress = false;
  bool json = false;
};

/// Declares the options for reading tables.
void add_table_arguments(CommandParser& parser, ViewArguments& arguments);

/// Also the views; then also the options for aligning them and making kernels.
void add_reading_arguments(CommandParser& parser, ViewArguments& arguments);
void add_view_arguments(CommandParser& parser, ViewArguments& arguments);
void add_terminal_arguments(CommandParser& parser, TerminalArguments& arguments);
void add_threads_argument(CommandParser& parser, int& threads);

/// A terminal with these settings; --json keeps standard output free of tables.
Terminal make_terminal(const TerminalArguments& arguments);

/// The views; a TOML manifest is replaced by the views it lists.
std::vector<io::ViewSpec> view_specs(const ViewArguments& arguments);

/// All input files, each once, in the order given. InputError with a suggestion for a file that
/// does not exist.
Strings input_paths(const ViewArguments& arguments);

/// OptionError if the output file is one of the inputs, even with --force.
void refuse_to_overwrite_inputs(const std::string& output, const Strings& inputs);

/// OptionError if an input is in the output folder, which would be replaced, also as a link.
void refuse_to_overwrite_inputs(const io::OutputFolder& output, const Strings& inputs);

/// Moves the result into place, and shows which files stayed and which result was recovered.
void commit(io::OutputFolder& output, Terminal& terminal);

/// OptionError if the output file is a file of the result folder, also through links; `other` is a
/// name to choose instead. Other files may be in the folder.
void refuse_to_overwrite_result(const std::string& output, const std::string& folder,
                                const std::string& other);

/// Returns the path; InputError with a suggestion if it is not a regular file.
const std::string& require_file(
    const std::string& path,
    const std::string& hint = "a view is [NAME=]PATH[:ARRAY][,option=value,...]");

/// The options for reading tables.
io::ReadAllOptions reading_options(const ViewArguments& arguments);

/// The views as read, and the options to assemble them with.
struct Input {
  io::ReadViews read;
  AssembleOptions options;
};

/// The rule for ids that --ids or --normalize-ids asks for. OptionError for one that does not
/// exist.
IdRule id_rule(const ViewArguments& arguments);

/// The options to assemble views with, apart from the mask's and the list's names of samples.
AssembleOptions assemble_options(const ViewArguments& arguments);

/// Gives the mask and the list of samples the names that the samples of these views have.
void name_samples(AssembleOptions& options, const std::vector<View>& views, const IdRule& ids);

/// Reads all input files. `labels`: a FILE[:COLUMN] whose ids are samples, or "". With
/// `questions_are_errors` false, a question on ids is returned with the views.
Input read_input(const ViewArguments& arguments, const std::string& labels = "",
                 bool questions_are_errors = true);

/// Aligns and checks what was read; `keep_recipes` keeps what `mkc predict` needs.
Assembled assemble_input(Input input, bool keep_recipes = false);

/// Reads, aligns and checks all input; `labels` as in read_input.
Assembled load(const ViewArguments& arguments, const std::string& labels = "");

/// The views with the values found by reading them: kind, samples_in, kernel options. Views of a
/// file that holds several stay as given.
std::vector<io::ViewSpec> resolved_specs(const ViewArguments& arguments,
                                         const Assembled& assembled);

/// The number of threads to use; 0 = all that the process may use.
int thread_count(int requested);

/// A run that shows its progress on the terminal and stops when interrupted.
RunOptions run_options(std::uint64_t seed, int threads, Terminal& terminal);

/// "8G", "500M", "1024" -> bytes. Throws OptionError.
double parse_bytes(const std::string& text);

}  // namespace mkc::app
