#pragma once

#include <type_traits>
#include <utility>

#include "mkc/methods/method.hpp"

namespace mkc {

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
