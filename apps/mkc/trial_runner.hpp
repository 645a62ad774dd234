#pragma once

#include <functional>

#include "mkc/evaluate/trial.hpp"
#include "mkc/evaluate/trial_store.hpp"
#include "mkc/files/shards.hpp"
#include "terminal.hpp"

/// What `mkc evaluate` and `mkc experiment` have in common.
namespace mkc::app {

/// The folder of a result, and its finished trials.
struct TrialOutput {
  std::string place;  // of the result
  bool force;
  io::OutputFolder folder;
  io::TrialStore store;

  /// A result of the same command is continued, or replaced with `force`.
  TrialOutput(const std::string& path, const std::string& command, bool force,
              io::TrialStore::Check is_trial);

  /// Says where the result will be, or how many trials are missing from it. An interrupted result
  /// goes beside a finished one. Returns the exit code.
  int describe_end(const std::string& what, std::size_t finished, Index planned,
                   Terminal& terminal);

  /// Moves the trials and the log into the folder, and the folder into place.
  void commit(Terminal& terminal);

 private:
  bool beside_ = false;  // a finished result
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
  /// Of several processes with one store: this one runs every count-th trial. 1/1: all.
  io::Shard shard = {};

  void run(const Strings& keys, Terminal& terminal) const;
};

/// The result of a trial without one: a failure, and NaN for seconds and memory.
TrialResult lost_result(const std::string& failure);

/// The shard in the text of --shard; 1/1 where there is none. OptionError with `force`, which would
/// remove the trials of other shards.
io::Shard shard_of_trials(const std::string& text, bool force);

/// "shard 2/3: its 4 trials are finished", after a run of this shard. Returns the exit code.
int end_of_shard(const io::Shard& shard, std::size_t finished, Index planned, Terminal& terminal);

/// "dry run: 6 trials would be run; nothing was written", as a message. Returns the exit code.
int end_dry_run(std::size_t planned, Terminal& terminal);

int end_without_result(Terminal& terminal);

}  // namespace mkc::app
