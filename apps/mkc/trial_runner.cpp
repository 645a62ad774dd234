#include "trial_runner.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "exit_codes.hpp"
#include "interrupt.hpp"
#include "process_pool.hpp"

namespace mkc::app {

TrialOutput::TrialOutput(const std::string& path, bool force, bool continued,
                         io::TrialStore::Check is_trial)
    : folder(path, force || continued), store(folder.target(), force, std::move(is_trial)) {
  if (!force) folder.keep_others(io::is_name_of_run);
}

void TrialOutput::commit(const Terminal& terminal) {
  store.move_into(folder);
  io::write_text_file(folder.path("mkc.log"), terminal.log());
  folder.commit();
  store.clear();
}

void TrialRunner::run(const Strings& keys, Terminal& terminal) const {
  store.start();
  Strings texts(keys.size()), failures(keys.size());
  std::vector<std::size_t> todo;
  for (std::size_t t = 0; t < keys.size(); ++t) {
    texts[t] = store.find(keys[t]).value_or("");
    if (texts[t].empty()) todo.push_back(t);
  }
  if (todo.size() < keys.size())
    terminal.message(fmt::format("{} of {} trials are already finished", keys.size() - todo.size(),
                                 keys.size()));
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
  for (std::size_t t = 0; t < keys.size(); ++t) {
    if (!texts[t].empty()) finished(t, texts[t]);
    if (!failures[t].empty()) failed(t, failures[t]);
  }
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

int describe_end(const std::string& what, std::size_t finished, Index planned,
                 const std::string& folder, Terminal& terminal) {
  const bool whole = static_cast<Index>(finished) == planned;
  terminal.message(whole ? fmt::format("{} in {}", what, folder)
                         : fmt::format("interrupted: {} of {} trials are in {}; run the same "
                                       "command again to continue",
                                       finished, planned, folder));
  return whole ? exit_ok : exit_interrupted;
}

}  // namespace mkc::app
