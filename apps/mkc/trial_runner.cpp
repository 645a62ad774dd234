#include "trial_runner.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "arguments.hpp"
#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "mkc/base/error.hpp"
#include "process_pool.hpp"
#include "report_out.hpp"

namespace mkc::app {

TrialOutput::TrialOutput(const std::string& path, const std::string& command, bool forced,
                         io::TrialStore::Check is_trial)
    : place(path),
      force(forced),
      folder(path, command, force || io::is_result_of(command, path)),
      store(folder.target(), force, std::move(is_trial)) {}

int TrialOutput::describe_end(const std::string& what, std::size_t finished, Index planned,
                              Terminal& terminal) {
  if (static_cast<Index>(finished) == planned) {
    terminal.message(fmt::format("{} in {}", what, place));
    return exit_ok;
  }
  beside_ = folder.keep_finished();
  const std::string output = place;
  if (beside_) place = folder.target().string();
  terminal.message(fmt::format("interrupted: {} of {} trials are in {}{}; {}", finished, planned,
                               place, kept_finished(output, place),
                               beside_ && force ? "to continue, run it with -o " + place
                                                : "run the same command again to continue"));
  return exit_interrupted;
}

void TrialOutput::commit(Terminal& terminal) {
  store.move_into(folder);
  io::write_text_file(folder.path("mkc.log"), terminal.log());
  app::commit(folder, terminal);
  // The run that continues looks for the trials beside the finished result.
  if (!beside_ || force) store.clear(folder);
}

void TrialRunner::run(const Strings& keys, Terminal& terminal) const {
  store.start();
  Strings texts(keys.size()), failures(keys.size());
  std::vector<std::size_t> todo;
  std::size_t found = 0;
  for (std::size_t t = 0; t < keys.size(); ++t) {
    texts[t] = store.find(keys[t]).value_or("");
    if (!texts[t].empty()) ++found;
    if (texts[t].empty() && static_cast<Index>(t) % shard.count == shard.number - 1)
      todo.push_back(t);
  }
  if (found > 0)
    terminal.message(fmt::format("{} of {} trials are already finished", found, keys.size()));
  const auto count = static_cast<Index>(todo.size());
  Index done = 0;
  const auto show = [&] {
    terminal.progress({phase, done, count, std::numeric_limits<double>::quiet_NaN()});
  };
  ProcessPool pool;
  pool.workers = threads;
  const int threads_each = std::max(1, count > 0 ? threads / static_cast<int>(count) : 1);
  pool.work = [&](Index i) {
    const std::size_t t = todo[at(i)];
    const std::string text = work(t, threads_each);
    if (!text.empty()) store.keep(keys[t], text);
  };
  pool.finished = [&](Index i, const std::string& failure) {
    const std::size_t t = todo[at(i)];
    failures[t] = failure;
    if (failure.empty()) texts[t] = store.find(keys[t]).value_or("");
    ++done;
    show();
  };
  pool.go_on = [&] {
    show();
    return !interrupted();
  };
  pool.run(count);
  if (shard.count == 1) store.remove_partial();  // else others may be writing
  for (std::size_t t = 0; t < keys.size(); ++t) {
    if (!texts[t].empty()) finished(t, texts[t]);
    if (!failures[t].empty()) failed(t, failures[t]);
  }
}

io::Shard shard_of_trials(const std::string& text, bool force) {
  if (text.empty()) return {};
  if (force)
    throw OptionError("--force would remove the trials of other shards",
                      "remove the earlier result, or leave --force out");
  return io::parse_shard(text);
}

int end_of_shard(const io::Shard& shard, std::size_t finished, Index planned, Terminal& terminal) {
  if (interrupted()) {
    terminal.message(
        fmt::format("interrupted: shard {} is not finished; run the same command "
                    "again to continue",
                    io::shard_text(shard)));
    return exit_interrupted;
  }
  terminal.message(
      fmt::format("shard {} is finished, {} of {} trials are; after all shards, the "
                  "command without --shard writes the result",
                  io::shard_text(shard), finished, planned));
  return exit_ok;
}

TrialResult lost_result(const std::string& failure) {
  TrialResult result;
  result.fail(failure);
  result.seconds = result.peak_mib = std::numeric_limits<double>::quiet_NaN();
  return result;
}

int end_dry_run(std::size_t planned, Terminal& terminal) {
  terminal.message(fmt::format("dry run: {} trials would be run; nothing was written", planned));
  return exit_ok;
}

int end_without_result(Terminal& terminal) {
  terminal.message("interrupted before the first trial was finished; nothing was written");
  return exit_interrupted;
}

}  // namespace mkc::app
