#include "cell_runner.hpp"

#include <limits>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "process_pool.hpp"

namespace mkc::app {

std::vector<CellOutcome> CellRunner::run(const Strings& keys, Terminal& terminal) const {
  store.start();
  std::vector<CellOutcome> outcomes(keys.size());
  std::vector<std::size_t> todo;
  for (std::size_t c = 0; c < keys.size(); ++c) {
    if (const auto text = store.find(keys[c]))
      outcomes[c].text = *text;
    else
      todo.push_back(c);
  }
  if (todo.size() < keys.size())
    terminal.message(
        fmt::format("{} of {} cells are there already", keys.size() - todo.size(), keys.size()));
  const auto count = static_cast<Index>(todo.size());
  Index done = 0;
  const auto show = [&] {
    terminal.progress({phase, done, count, std::numeric_limits<double>::quiet_NaN()});
  };
  ProcessPool pool;
  pool.workers = threads;
  const int threads_each = std::max(1, count > 0 ? threads / static_cast<int>(count) : 1);
  pool.work = [&](Index i) {
    const std::size_t c = todo[at(i)];
    const std::string text = work(c, threads_each);
    if (!text.empty()) store.keep(keys[c], text);
  };
  pool.finished = [&](Index i, const std::string& failure) {
    const std::size_t c = todo[at(i)];
    outcomes[c].failure = failure;
    if (failure.empty()) outcomes[c].text = store.find(keys[c]).value_or("");
    ++done;
    show();
  };
  pool.go_on = [&] {
    show();
    return !interrupted();
  };
  pool.run(count);
  return outcomes;
}

}  // namespace mkc::app
