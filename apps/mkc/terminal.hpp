#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "mkc/problem/run.hpp"

namespace mkc::app {

/// All output of the tool. Results go to standard output, messages and progress to standard error.
/// Everything but progress is also kept for mkc.log. Names in a text may hold anything: what would
/// steer a terminal is escaped here, and a message is one line.
class Terminal {
 public:
  bool quiet = false;
  bool progress_wanted = true;
  bool results_wanted = true;  // false: standard output is for --json
  int verbosity = 0;

  void result(const std::string& text);   // standard output
  void message(const std::string& text);  // standard error, unless quiet
  void detail(const std::string& text);   // standard error with -v; always in the log
  void warning(const std::string& text);  // "note: ..."
  void serious(const std::string& text);  // "warning: ..."
  void progress(const Progress& progress) const;

  const std::string& log() const { return log_; }

 private:
  std::string log_;
};

/// Aligned columns with two blanks between them, the first column left, the others right.
/// A name with a line end in it stays in its cell.
std::string format_table(std::vector<std::vector<std::string>> rows);

/// "1 view", "2 views".
std::string counted(Index count, const std::string& word);

/// "error: ..." and "hint: ..." on standard error.
void print_error(const std::string& what, const Hint& hint = {});

/// A hint with the option names of the command line: "--psd clip takes the nearest kernel".
std::string hint_text(const Hint& hint);

/// Writes to standard output; a closed pipe is not an error, a full disk is.
void print_result(const std::string& text);
void print_json(const nlohmann::ordered_json& json);

/// Why standard output could not be written, or ""; clears it. A run does not stop for that, so
/// that its result is still written.
std::string output_failure();

}  // namespace mkc::app
