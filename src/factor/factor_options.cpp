#include "mkc/factor/factor_options.hpp"

#include <algorithm>

namespace mkc::factor {

OptionTable<FactorOptions> factor_options() {
  constexpr Index most = 100000;
  OptionTable<FactorOptions> table("factor");
  table
      .count_or("auto", "rank", &FactorOptions::rank, 1, most,
                "features per view; larger is finer and slower, and makes the output larger")
      .count_or("auto", "landmarks", &FactorOptions::landmarks, 1, most,
                "samples that span the features of a view; larger is finer and slower")
      .count_or("auto", "anchors", &FactorOptions::anchors, 1, most,
                "samples that span the regression between views; larger is finer and slower")
      .count("sample", &FactorOptions::sample, 100, 1000000,
             "samples on which maps and options are learnt; larger takes more memory")
      .count("block", &FactorOptions::block, 16, 1000000,
             "rows of a block; larger takes more memory")
      .number("coverage", &FactorOptions::coverage, 0.5, 0.999,
              "nominal probability of the intervals");
  return table;
}

FactorOptions settled(FactorOptions options, Index n_samples) {
  // Samples up to which a larger rank, and more landmarks and anchors, cost little.
  constexpr Index small = 20000, few = 3000;
  factor_options().verify(options);
  if (!options.rank) options.rank = n_samples <= small ? 200 : 100;
  if (!options.landmarks)
    options.landmarks = n_samples <= few ? 1000 : n_samples <= small ? 600 : 400;
  if (!options.anchors) options.anchors = n_samples <= few ? 1000 : 600;
  options.landmarks = std::max(*options.landmarks, *options.rank);
  return options;
}

}  // namespace mkc::factor
