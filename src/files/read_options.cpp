#include "mkc/files/read_options.hpp"

#include "base/text.hpp"

namespace mkc::io {

const Strings& date_order_names() {
  static const Strings names = {"auto", "dmy", "mdy"};
  return names;
}

namespace {

Strings names_from_text(const std::string&, const std::string& text) {
  return text.empty() ? Strings{} : split(text, '+');
}

}  // namespace

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
                  "feature (of a column of words the most frequent one), or drop the feature")
          .custom("categories", &ReadOptions::categories, "COLUMN+COLUMN+...",
                  "columns of a table whose cells are words, also where they are numbers (codes of "
                  "sites) or nearly all different",
                  names_from_text, [](const Strings& names) { return join(names, "+"); })
          .choice("dates", &ReadOptions::dates, date_order_names(),
                  "of 3/5/2021: day first (dmy) or month first (mdy); auto: what the other dates "
                  "of the column make plain, else an error");
  return table;
}

}  // namespace mkc::io
