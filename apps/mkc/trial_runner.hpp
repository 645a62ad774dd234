#pragma once

#include <functional>

#include "mkc/evaluate/trial.hpp"
#include "mkc/evaluate/trial_store.hpp"
#include "terminal.hpp"

/// What `mkc evaluate` and `mkc experiment` have in common.
namespace mkc::app {

/// The folder of a result, and its finished trials. Other files in the folder are kept, unless
/// `force` replaces everything.
struct TrialOutput {
  io::OutputFolder folder;
  io::TrialStore store;

  /// `continued`: the folder holds a result of the same command.
  TrialOutput(const std::string& path, bool force, bool continued, io::TrialStore::Check is_trial);

  /// Moves the trials and the log into the folder, and the folder into place.
  void commit(const Terminal& terminal);
};

/// Runs trials in processes of their own, several at a time. Stored trials are not run again. A
/// trial whose process ends early is reported; the others continue.
struct TrialRunner {
  std::string phase;  // "evaluating"
  int threads = 1;
  const io::TrialStore& store;
  /// In the new process: the text of a trial, or "" where it was interrupted.
  std::function<std::string(std::size_t trial, int threads)> work;
  /// For every finished trial, in the order of the keys: its text, or why there is none.
  std::function<void(std::size_t trial, const std::string& text)> finished;
  std::function<void(std::size_t trial, const std::string& failure)> failed;

  void run(const Strings& keys, Terminal& terminal) const;
};

/// The result of a trial without one: a failure, and NaN for seconds and memory.
TrialResult lost_result(const std::string& failure);

/// "dry run: 6 trials would be run; nothing was written", as a message. Returns the exit code.
int end_dry_run(std::size_t planned, Terminal& terminal);

int end_without_result(Terminal& terminal);

/// Where the result is, or how many trials are missing from it. Returns the exit code.
int describe_end(const std::string& what, std::size_t finished, Index planned,
                 const std::string& folder, Terminal& terminal);

}  // namespace mkc::app
