#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "mkc/methods/method.hpp"

namespace mkc {

/// Working memory of methods whose largest step is the eigenvectors of a kernel that is not PSD, of
/// one view per thread (measured, docs/reference/memory.md).
inline double repair_bytes(Index n_samples, Index n_views, int threads) {
  const double at_once = std::min(double(n_views), double(threads));
  return 8 * double(n_samples) * double(n_samples) * 5.3 * at_once;
}

/// A registry entry from an options table and a function that fits. `working_bytes` takes samples,
/// views and, where it depends on them, threads.
template <class Options, class WorkingBytes>
Method make_method(std::string summary, std::string cost, std::string memory,
                   const OptionTable<Options>& table,
                   Completion (*fit)(const Problem&, const Options&, const RunOptions&),
                   WorkingBytes working_bytes) {
  return {table.owner(),
          std::move(summary),
          std::move(cost),
          std::move(memory),
          table.describe(),
          [table](const OptionValues& values) { return table.values(table.parse(values)); },
          [table, fit](const Problem& problem, const OptionValues& values, const RunOptions& run) {
            return fit(problem, table.parse(values), run);
          },
          [working_bytes](Index n_samples, Index n_views, int threads) -> double {
            if constexpr (std::is_invocable_v<WorkingBytes, Index, Index, int>)
              return working_bytes(n_samples, n_views, threads);
            else
              return working_bytes(n_samples, n_views);
          }};
}

}  // namespace mkc
