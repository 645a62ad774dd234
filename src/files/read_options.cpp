#include "mkc/files/read_options.hpp"

namespace mkc::io {

const OptionTable<ReadOptions>& read_option_table() {
  static const auto table =
      OptionTable<ReadOptions>("view")
          .choice("samples_in", &ReadOptions::samples_in, samples_in_names(),
                  "where the samples of a table are; auto: the side whose ids other views or the "
                  "sample map have")
          .choice("replicates", &ReadOptions::replicates, {"error", "first", "mean"},
                  "several rows of one sample: refuse them, take the first, or their mean")
          .choice("na_features", &ReadOptions::na_features, {"error", "mean", "drop"},
                  "single missing cells of a feature table: refuse them, fill in the mean of the "
                  "feature, or drop the feature");
  return table;
}

}  // namespace mkc::io
