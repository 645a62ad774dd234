#pragma once

#include <functional>

#include "mkc/base/options.hpp"
#include "mkc/problem/problem.hpp"
#include "mkc/problem/result.hpp"
#include "mkc/problem/run.hpp"

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
  /// Whether `fit` applies and undoes RunOptions::transforms: a method that measures the errors of
  /// the final kernels needs the input as it is.
  bool transforms_itself = false;
};

}  // namespace mkc
