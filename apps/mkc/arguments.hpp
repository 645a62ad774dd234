#pragma once

#include <cstdint>
#include <string>

#include "mkc/files/output_folder.hpp"
#include "mkc/files/read_all.hpp"
#include "mkc/problem/assemble.hpp"
#include "parser.hpp"
#include "terminal.hpp"

namespace mkc::app {

/// Arguments that several commands share, and how they are declared.
struct ViewArguments {
  Strings views;
  std::string config;
  std::string mask;
  std::string samples = "union";
  std::string sample_map;
  std::string samples_in = "auto";
  bool normalize_ids = false;
  std::string replicates = "error";
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

/// How tables are read.
void add_table_arguments(CommandParser& parser, ViewArguments& arguments);

/// The views and how they are read; then also what is made of them.
void add_reading_arguments(CommandParser& parser, ViewArguments& arguments);
void add_view_arguments(CommandParser& parser, ViewArguments& arguments);
void add_terminal_arguments(CommandParser& parser, TerminalArguments& arguments);
void add_threads_argument(CommandParser& parser, int& threads);

/// A terminal that is as talkative as asked; silent on standard output where JSON goes there.
Terminal make_terminal(const TerminalArguments& arguments);

/// The views; a TOML manifest stands for those it lists.
std::vector<io::ViewSpec> view_specs(const ViewArguments& arguments);

/// The files named by the views, each once, in the order given; one that does not exist is an
/// InputError with a suggestion from its folder.
Strings input_paths(const ViewArguments& arguments);

/// OptionError where a file to be written is one of those read, --force or not.
void refuse_to_overwrite_inputs(const std::string& output, const Strings& inputs);

/// The same for a folder that would be replaced, and the files in it.
void refuse_to_overwrite_inputs(const io::OutputFolder& output, const Strings& inputs);

/// The path itself; InputError with a suggestion where it is not a regular file.
const std::string& require_file(
    const std::string& path,
    const std::string& hint = "a view is [NAME=]PATH[:ARRAY][,option=value,...]");

/// How the arguments want tables read.
io::ReadAllOptions reading_options(const ViewArguments& arguments);

/// The views as read, and what to make of them.
struct Input {
  io::ReadViews read;
  AssembleOptions options;
};

/// Reads everything the arguments name.
Input read_input(const ViewArguments& arguments);

/// Reads, aligns and checks everything the arguments name; keeps what new samples will need where
/// asked to.
Assembled load(const ViewArguments& arguments, bool keep_recipes = false);

/// The views with what reading them settled: kind, side of the samples, options of the kernel.
/// Views of a file that holds several stay as they were given.
std::vector<io::ViewSpec> resolved_specs(const ViewArguments& arguments,
                                         const Assembled& assembled);

/// 0 = all the process may use.
int thread_count(int requested);

/// "8G", "500M", "1024" -> bytes. Throws OptionError.
double parse_bytes(const std::string& text);

}  // namespace mkc::app
