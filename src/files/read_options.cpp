#include "mkc/files/read_options.hpp"

namespace mkc::io {

const OptionTable<ReadOptions>& read_option_table() {
  static const auto table =
      OptionTable<ReadOptions>("view")
          .choice(
              "samples_in", &ReadOptions::samples_in, samples_in_names(),
              "where the samples of a table are; auto: the side that ids in other files, the look "
              "of the names and the header speak for; an error where that is not plain")
          .choice("replicates", &ReadOptions::replicates, replicates_names(),
                  "several rows of one sample: refuse them, take the first, their mean, or of TCGA "
                  "aliquots the one that the Broad Institute's GDAC prefers")
          .choice("zero_rows", &ReadOptions::zero_rows, zero_rows_names(),
                  "rows of zeros (of a kernel: rows and columns): samples that lack the view, "
                  "values, or refuse them; auto: what the other rows make plain")
          .choice("na_features", &ReadOptions::na_features, {"error", "mean", "drop"},
                  "single missing cells of a feature table: refuse them, fill in the mean of the "
                  "feature, or drop the feature");
  return table;
}

}  // namespace mkc::io
