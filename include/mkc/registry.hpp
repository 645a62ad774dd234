#pragma once

#include <functional>
#include <type_traits>

#include "mkc/options.hpp"
#include "mkc/problem.hpp"
#include "mkc/result.hpp"
#include "mkc/run.hpp"

namespace mkc {

/// A completion method as the registry knows it; `mkc methods` prints these.
struct Method {
  std::string name;
  std::string summary;  // one line
  std::string cost;     // time in N (samples), M (views) and the options
  std::string memory;   // peak memory beyond input and result, in the same letters
  std::vector<OptionInfo> options;

  /// Every option with the value a run would use: defaults and the given ones.
  std::function<OptionValues(const OptionValues&)> effective_options;
  /// The model's own matrices, before anything is put back (see complete()).
  std::function<Completion(const Problem&, const OptionValues&, const RunOptions&)> fit;
  /// Peak bytes of working memory beyond the input and the result, with the default options.
  std::function<double(Index n_samples, Index n_views, int threads)> working_bytes;
  /// Why the method cannot run on this problem, or "".
  std::function<std::string(const Problem&)> obstacle = [](const Problem&) { return ""; };
  /// Whether `fit` applies and undoes RunOptions::transforms: a method that judges by the errors of
  /// what is written must see the kernels as they are.
  bool transforms_itself = false;
};

/// All methods, in the order in which they are shown.
const std::vector<Method>& methods();

/// Throws OptionError with a suggestion where there is no such method.
const Method& find_method(const std::string& name);

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
