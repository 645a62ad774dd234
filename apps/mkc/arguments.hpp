#pragma once

#include <cstdint>
#include <string>

#include "mkc/io/assemble.hpp"
#include "parser.hpp"
#include "terminal.hpp"

namespace mkc::app {

/// Arguments that several commands share, and how they are declared.
struct ViewArguments {
  Strings views;
  std::string mask;
  std::string na_features = "error";
  std::string psd = "error";
  std::string normalize = "none";
  bool center = false;
};

struct TalkArguments {
  bool quiet = false;
  int verbosity = 0;
  bool no_progress = false;
  bool json = false;
};

void add_view_arguments(CommandParser& parser, ViewArguments& arguments);
void add_talk_arguments(CommandParser& parser, TalkArguments& arguments);
void add_threads_argument(CommandParser& parser, int& threads);

/// A terminal that is as talkative as asked; silent on standard output where JSON goes there.
Terminal make_terminal(const TalkArguments& arguments);

/// The views as texts; a TOML manifest stands for the views it lists.
Strings view_texts(const ViewArguments& arguments);

/// The files named by the views, each once, in the order given; one that does not exist is an
/// InputError with a suggestion from its folder.
Strings input_paths(const ViewArguments& arguments);

/// Reads the views as their files have them.
std::vector<io::View> load_views(const ViewArguments& arguments);

/// Reads, aligns and checks everything the arguments name.
io::Assembled load(const ViewArguments& arguments);

/// 0 = all the process may use.
int thread_count(int asked);

/// "8G", "500M", "1024" -> bytes. Throws OptionError.
double parse_bytes(const std::string& text);

}  // namespace mkc::app
