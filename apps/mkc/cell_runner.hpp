#pragma once

#include "mkc/evaluate/cell_store.hpp"
#include "mkc/base/types.hpp"
#include "terminal.hpp"

namespace mkc::app {

/// What became of a cell: its text, or why there is none; neither where it was not finished.
struct CellOutcome {
  std::string text, failure;
};

/// Cells that depend on nothing but themselves, run side by side in processes of their own. Those
/// in the store are not run again; one that dies is told and the others go on.
struct CellRunner {
  std::string phase;  // "evaluating"
  int threads = 1;
  const io::CellStore& store;
  /// In a process of its own: the text of a cell, or "" where it was interrupted.
  std::function<std::string(std::size_t cell, int threads)> work;

  /// One outcome per key, in their order.
  std::vector<CellOutcome> run(const Strings& keys, Terminal& terminal) const;
};

}  // namespace mkc::app
